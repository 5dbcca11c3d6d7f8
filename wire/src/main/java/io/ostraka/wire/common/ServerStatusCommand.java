package io.ostraka.wire.common;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Clock;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * {@code serverStatus}: numbers about the process, in sections.
 *
 * <pre>{ serverStatus: 1, section: 0|1, … }  →  { host, version, process, pid, uptime…, section: {…}, … }</pre>
 *
 * A section named with zero or false is left out. Unknown names are ignored.
 */
final class ServerStatusCommand implements Command<ServerStatusCommand.Request> {
    /** @param left the sections left out */
    record Request(java.util.Set<String> left) {}

    private final ProcessInfo process;
    private final Clock clock;
    private final Map<String, Supplier<? extends BsonValue>> sections;

    ServerStatusCommand(ProcessInfo process, Clock clock, Map<String, Supplier<? extends BsonValue>> sections) {
        this.process = process;
        this.clock = clock;
        this.sections = new LinkedHashMap<>(sections);
    }

    @Override
    public String name() {
        return "serverStatus";
    }

    @Override
    public Needs needs() {
        return Needs.cluster("serverStatus", Needs.Kind.STATELESS);
    }

    @Override
    public Request parse(Fields fields) {
        fields.ignoreUnknown();
        java.util.Set<String> left = new java.util.HashSet<>();
        RawCursor cursor = fields.body().cursor();
        cursor.next();
        while (cursor.next()) {
            boolean off = cursor.isNumber() && cursor.value().asNumber().doubleValue() == 0
                    || cursor.value().equals(BsonBoolean.FALSE);
            if (off) {
                left.add(cursor.name());
            }
        }
        return new Request(left);
    }

    @Override
    public RawDocument run(Request request, Operation operation) {
        long millis = (clock.nanos() - process.startedNanos()) / 1_000_000;
        RawBuilder reply = new RawBuilder(4096)
                .put("host", process.host())
                .put("version", ProcessInfo.COMPATIBLE_VERSION)
                .put("process", process.name())
                .put("pid", process.pid())
                .put("uptime", new BsonDouble(millis / 1000))
                .put("uptimeMillis", new BsonInt64(millis))
                .put("uptimeEstimate", new BsonInt64(millis / 1000))
                .put("localTime", new BsonDateTime(clock.wallMillis()));
        sections.forEach((name, section) -> {
            if (!request.left().contains(name)) {
                reply.put(name, section.get());
            }
        });
        return reply.build();
    }

    /** The section {@code mem}: megabytes of this JVM. */
    static BsonDocument memory() {
        Runtime runtime = Runtime.getRuntime();
        int resident = (int) (runtime.totalMemory() >> 20);
        return new BsonDocument("bits", new BsonInt32(64))
                .append("resident", new BsonInt32(resident))
                .append("virtual", new BsonInt32((int) Math.min(Integer.MAX_VALUE, runtime.maxMemory() >> 20)))
                .append("supported", BsonBoolean.TRUE);
    }

    /** The section {@code ostraka}: what this really is. */
    static BsonDocument ostraka(ProcessInfo process) {
        return new BsonDocument("version", new BsonString(process.version()))
                .append("git", new BsonString(process.git()));
    }
}
