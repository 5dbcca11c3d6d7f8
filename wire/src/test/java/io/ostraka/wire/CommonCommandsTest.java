package io.ostraka.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.wire.auth.UserDirectory;
import io.ostraka.wire.command.Admission;
import io.ostraka.wire.command.Client;
import io.ostraka.wire.command.CommandTable;
import io.ostraka.wire.command.Dispatcher;
import io.ostraka.wire.command.HybridClock;
import io.ostraka.wire.command.Operations;
import io.ostraka.wire.command.SlowOperations;
import io.ostraka.wire.command.User;
import io.ostraka.wire.common.CommonCommands;
import io.ostraka.wire.common.Parameters;
import io.ostraka.wire.common.ProcessHooks;
import io.ostraka.wire.common.ProcessInfo;
import io.ostraka.wire.common.RecentLog;
import io.ostraka.wire.common.Role;
import io.ostraka.wire.common.Topology;
import io.ostraka.wire.cursor.CursorRegistry;
import io.ostraka.wire.message.Message;
import io.ostraka.wire.session.SessionEnds;
import io.ostraka.wire.session.Sessions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What mongosh sends when it connects, and what it is answered. */
@Timeout(30)
class CommonCommandsTest {
    private final Topology topology = new Topology(new ObjectId("0123456789abcdef01234567"));
    private final Operations operations = new Operations();
    private final Sessions sessions = new Sessions(100, Clock.SYSTEM);
    private final Dispatcher dispatcher = dispatcher();

    private Dispatcher dispatcher() {
        List<Dispatcher> self = new ArrayList<>();
        CursorRegistry cursors = new CursorRegistry(CursorRegistry.Limits.DEFAULT, Clock.SYSTEM, Ids.system());
        SlowOperations slow = new SlowOperations(100);
        CommonCommands.Parts parts = new CommonCommands.Parts(
                new ProcessInfo("here:27017", "mongos", "0.1", "abc", 1, 0, List.of("ostraka"), new BsonDocument()),
                new Role() {
                    @Override
                    public boolean isWritable() {
                        return true;
                    }

                    @Override
                    public BsonDocument helloFields() {
                        return new BsonDocument("msg", new BsonString("isdbgrid"));
                    }
                },
                topology,
                Clock.SYSTEM,
                Ids.system(),
                operations,
                cursors,
                new SessionEnds(sessions, cursors, operations, _ -> {}),
                _ -> {},
                slow,
                RecentLog.NONE,
                new ProcessHooks() {
                    @Override
                    public void rotateLog() {}

                    @Override
                    public void shutdown(boolean force) {}
                },
                new Parameters(Parameters.common()),
                filter -> document -> true,
                () -> self.getFirst().table(),
                () -> self.getFirst().counters(),
                Optional::empty,
                Map.of());
        List<io.ostraka.wire.command.Command<?>> all = new ArrayList<>(CommonCommands.of(parts));
        all.addAll(CommonCommands.ofOperations(parts));
        self.add(new Dispatcher(
                CommandTable.of(all),
                UserDirectory.OPEN,
                new HybridClock(Clock.SYSTEM),
                Clock.SYSTEM,
                operations,
                slow,
                Admission.standard(),
                sessions));
        return self.getFirst();
    }

    private BsonDocument run(String json) {
        RawDocument reply = dispatcher.run(
                Message.of(1, EchoServer.bson(json)),
                new Client(3, "127.0.0.1:5", Optional.empty(), User.NOBODY, false));
        return reply.toBson();
    }

    private int code(String json) {
        return run(json).getInt32("code").getValue();
    }

    @Test
    void greetsAsARouter() {
        BsonDocument hello = run("{hello: 1, helloOk: true, compression: ['zstd', 'other'], $db: 'admin'}");
        assertThat(hello.getBoolean("isWritablePrimary").getValue()).isTrue();
        assertThat(hello.getString("msg").getValue()).isEqualTo("isdbgrid");
        assertThat(hello.getInt32("maxWireVersion").getValue()).isEqualTo(25);
        assertThat(hello.getArray("compression")).containsExactly(new BsonString("zstd"));
        assertThat(run("{ismaster: 1, $db: 'admin'}").getBoolean("ismaster").getValue())
                .isTrue();
    }

    @Test
    void waitsForAChangeOfTopology() throws Exception {
        String known = "topologyVersion: {processId: ObjectId('0123456789abcdef01234567'), counter: NumberLong(0)}";
        assertThat(run("{hello: 1, " + known + ", maxAwaitTimeMS: 10, $db: 'admin'}")
                        .getDocument("topologyVersion")
                        .getInt64("counter")
                        .getValue())
                .isZero();
        CompletableFuture<BsonDocument> answer = CompletableFuture.supplyAsync(
                () -> run("{hello: 1, " + known + ", maxAwaitTimeMS: 20000, $db: 'admin'}"));
        topology.changed();
        assertThat(answer.get()
                        .getDocument("topologyVersion")
                        .getInt64("counter")
                        .getValue())
                .isEqualTo(1);
        assertThat(code("{hello: 1, " + known + ", $db: 'admin'}")).isEqualTo(51758);
        assertThat(code("{hello: 1, maxAwaitTimeMS: 10, $db: 'admin'}")).isEqualTo(51760);
    }

    @Test
    void answersWhatAShellAsksFirst() {
        BsonDocument build = run("{buildInfo: 1, $db: 'admin'}");
        assertThat(build.getString("version").getValue()).startsWith("8.0.");
        assertThat(build.getDocument("ostraka").getString("git").getValue()).isEqualTo("abc");
        assertThat(code("{atlasVersion: 1, $db: 'admin'}")).isEqualTo(59);
        assertThat(run("{getParameter: 1, featureCompatibilityVersion: 1, $db: 'admin'}")
                        .getDocument("featureCompatibilityVersion")
                        .getString("version")
                        .getValue())
                .isEqualTo("8.0");
        BsonDocument unknown = run("{getParameter: 'foo', $db: 'admin'}");
        assertThat(unknown.getInt32("code").getValue()).isEqualTo(72);
        assertThat(unknown.getString("errmsg").getValue()).isEqualTo("no option found to get");
        assertThat(run("{getParameter: '*', $db: 'admin'}"))
                .containsKeys("enableTestCommands", "requireApiVersion", "authenticationMechanisms");
        assertThat(run("{getLog: 'startupWarnings', $db: 'admin'}").getArray("log"))
                .isEmpty();
        assertThat(run("{listCommands: 1, $db: 'admin'}").getDocument("commands"))
                .containsKeys("hello", "isMaster", "ping", "getMore");
        for (String name :
                List.of("ping", "connectionStatus", "hostInfo", "getCmdLineOpts", "serverStatus", "currentOp")) {
            assertThat(run("{" + name + ": 1, $db: 'admin'}").getDouble("ok").getValue())
                    .as(name)
                    .isEqualTo(1);
        }
        assertThat(code("{getCmdLineOpts: 1, $db: 'test'}")).isEqualTo(13);
    }

    @Test
    void remembersSessionsUntilTheyEnd() {
        String lsid = "{id: UUID('00112233-4455-6677-8899-aabbccddeeff')}";
        run("{ping: 1, lsid: " + lsid + ", $db: 'admin'}");
        assertThat(sessions.size()).isEqualTo(1);
        run("{endSessions: [" + lsid + "], $db: 'admin'}");
        assertThat(sessions.size()).isZero();
        assertThat(run("{startSession: 1, $db: 'admin'}").getDocument("id").isBinary("id"))
                .isTrue();
        assertThat(code("{endSessions: 5, $db: 'admin'}")).isEqualTo(14);
        assertThat(code("{ping: 1, lsid: {id: 5}, $db: 'admin'}")).isEqualTo(40414);
    }
}
