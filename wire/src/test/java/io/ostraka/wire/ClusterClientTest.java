package io.ostraka.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.wire.auth.ClusterKey;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.transport.Transport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same over sockets and in memory. */
@Timeout(60)
class ClusterClientTest {
    private static Transport transport(EchoServer echo, String which) {
        return which.equals("memory") ? echo.memory : echo.sockets;
    }

    @ParameterizedTest
    @ValueSource(strings = {"socket", "memory"})
    void provesItsKeyAndIsOfTheCluster(String which) throws IOException {
        try (EchoServer echo = new EchoServer();
                ClusterClient client = echo.client(transport(echo, which), EchoServer.KEY)) {
            RawDocument answer =
                    client.run(echo.address(), "db", EchoServer.bson("{echo: 1}"), EchoServer.operation(5000));
            assertThat(answer.toBson().getBoolean("cluster").getValue()).isTrue();
            assertThat(client.run(echo.address(), "db", EchoServer.bson("{secret: 1}"), EchoServer.operation(5000)))
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"socket", "memory"})
    void anotherKeyIsRefused(String which) throws IOException {
        try (EchoServer echo = new EchoServer();
                ClusterClient client = echo.client(transport(echo, which), ClusterKey.of("another"))) {
            assertThatThrownBy(() ->
                            client.run(echo.address(), "db", EchoServer.bson("{echo: 1}"), EchoServer.operation(5000)))
                    .isInstanceOfSatisfying(
                            CommandException.class,
                            error -> assertThat(error.code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"socket", "memory"})
    void manyRequestsWaitOnTwoConnectionsAndAreAnsweredInAnyOrder(String which) throws Exception {
        int requests = 500;
        try (EchoServer echo = new EchoServer();
                ClusterClient client = echo.client(transport(echo, which), EchoServer.KEY);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<RawDocument>> answers = new ArrayList<>();
            for (int i = 0; i < requests; i++) {
                RawDocument request = EchoServer.bson("{wait: 'g" + i + "'}");
                answers.add(
                        threads.submit(() -> client.run(echo.address(), "db", request, EchoServer.operation(30_000))));
            }
            echo.entered.acquire(requests);
            assertThat(client.connections()).containsEntry(echo.address(), 2);
            for (int i = requests - 1; i >= 0; i--) {
                echo.gates
                        .computeIfAbsent("g" + i, _ -> new CompletableFuture<>())
                        .complete(EchoServer.bson("{i: " + i + "}"));
            }
            for (int i = 0; i < requests; i++) {
                assertThat(answers.get(i).get().get("i").asInt32().getValue()).isEqualTo(i);
            }
            assertThat(echo.server.counters().current()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"socket", "memory"})
    void deadlinesEndTheWaitHereAndThere(String which) throws Exception {
        try (EchoServer echo = new EchoServer();
                ClusterClient client = echo.client(transport(echo, which), EchoServer.KEY)) {
            assertThatThrownBy(() ->
                            client.run(echo.address(), "db", EchoServer.bson("{wait: 'x'}"), EchoServer.operation(50)))
                    .isInstanceOfSatisfying(
                            CommandException.class,
                            error -> assertThat(error.code()).isEqualTo(ErrorCode.MAX_TIME_MS_EXPIRED));
            Operation killed = EchoServer.operation(30_000);
            Thread killer = Thread.startVirtualThread(() -> {
                echo.entered.acquireUninterruptibly();
                echo.entered.acquireUninterruptibly();
                killed.kill(ErrorCode.INTERRUPTED.because("killed by the test"));
            });
            assertThatThrownBy(() -> client.run(echo.address(), "db", EchoServer.bson("{wait: 'y'}"), killed))
                    .hasMessage("killed by the test");
            killer.join();
            assertThat(echo.left.tryAcquire(2, 10, TimeUnit.SECONDS))
                    .as("both have ended there")
                    .isTrue();
            assertThat(client.run(echo.address(), "db", EchoServer.bson("{echo: 1}"), EchoServer.operation(5000)))
                    .as("the connection goes on")
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"socket", "memory"})
    void aCursorThatOpensTooLateIsClosed(String which) throws Exception {
        try (EchoServer echo = new EchoServer();
                ClusterClient client = echo.client(transport(echo, which), EchoServer.KEY)) {
            Operation killed = EchoServer.operation(30_000);
            Thread killer = Thread.startVirtualThread(() -> {
                echo.entered.acquireUninterruptibly();
                killed.kill(ErrorCode.INTERRUPTED.because("killed by the test"));
            });
            assertThatThrownBy(() -> client.run(echo.address(), "db", EchoServer.bson("{late: 'z'}"), killed))
                    .hasMessage("killed by the test");
            killer.join();
            assertThat(echo.gates.get("z").complete(RawDocument.EMPTY)).isTrue();
            assertThat(echo.closedCursors.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"socket", "memory"})
    void aClosedServerIsUnreachableAndErrorsKeepTheirCode(String which) throws IOException {
        EchoServer echo = new EchoServer();
        try (ClusterClient client = echo.client(transport(echo, which), EchoServer.KEY)) {
            assertThatThrownBy(() -> client.run(
                            echo.address(), "db", EchoServer.bson("{nothing: 1}"), EchoServer.operation(5000)))
                    .isInstanceOfSatisfying(
                            CommandException.class,
                            error -> assertThat(error.code()).isEqualTo(ErrorCode.COMMAND_NOT_FOUND));
            echo.close();
            assertThatThrownBy(() ->
                            client.run(echo.address(), "db", EchoServer.bson("{echo: 1}"), EchoServer.operation(5000)))
                    .isInstanceOfSatisfying(
                            CommandException.class,
                            error -> assertThat(error.code()).isEqualTo(ErrorCode.HOST_UNREACHABLE));
        }
    }
}
