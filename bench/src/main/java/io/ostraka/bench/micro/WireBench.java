package io.ostraka.bench.micro;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Clock;
import io.ostraka.wire.auth.UserDirectory;
import io.ostraka.wire.command.Admission;
import io.ostraka.wire.command.Client;
import io.ostraka.wire.command.CommandTable;
import io.ostraka.wire.command.Dispatcher;
import io.ostraka.wire.command.HybridClock;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operations;
import io.ostraka.wire.command.SlowOperations;
import io.ostraka.wire.command.User;
import io.ostraka.wire.common.Small;
import io.ostraka.wire.message.FrameDecoder;
import io.ostraka.wire.message.FrameEncoder;
import io.ostraka.wire.message.Incoming;
import io.ostraka.wire.message.Message;
import io.ostraka.wire.session.Sessions;
import io.ostraka.wire.transport.FrameException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** From bytes to a message, to a command, and back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class WireBench {
    private static final String LSID = "lsid: {id: {$binary: {base64: 'AAECAwQFBgcICQoLDA0ODw==', subType: '04'}}}";

    private final byte[] find = frame("{find: 'users', filter: {_id: 5}, limit: 1, singleBatch: true, " + LSID
            + ", $db: 'test', $clusterTime: {clusterTime: {$timestamp: {t: 1, i: 1}}}}");
    private final Message ping = message("{ping: 1, " + LSID + ", $db: 'admin'}");
    private final Client client = new Client(1, "127.0.0.1:1", Optional.empty(), User.NOBODY, false);
    private final Dispatcher dispatcher = new Dispatcher(
            CommandTable.of(new Small("ping", Needs.NOTHING, (_, _) -> new BsonDocument())),
            UserDirectory.OPEN,
            new HybridClock(Clock.SYSTEM),
            Clock.SYSTEM,
            new Operations(),
            new SlowOperations(SlowOperations.DEFAULT_MILLIS),
            Admission.standard(),
            new Sessions(Sessions.DEFAULT_MAX, Clock.SYSTEM));

    private static Message message(String json) {
        return new Message(1, 0, 0, RawDocument.of(BsonDocument.parse(json)), Map.of());
    }

    private static byte[] frame(String json) {
        return FrameEncoder.encode(message(json));
    }

    @Benchmark
    public Incoming frameParsed() throws FrameException {
        return FrameDecoder.decode(find);
    }

    @Benchmark
    public RawDocument pingDispatched() {
        return dispatcher.run(ping, client);
    }
}
