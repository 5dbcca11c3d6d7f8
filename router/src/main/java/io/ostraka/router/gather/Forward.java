package io.ostraka.router.gather;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Operation;
import java.util.Set;

/** A client's command made ready for a shard: its own bytes, without what concerns the client's connection. */
public final class Forward {
    /** Fields of every command that mean the same on a shard. */
    private static final Set<String> KEPT = Set.of("readConcern", "writeConcern", "comment", "rawData");

    private Forward() {}

    /** The request, but for fields of these names. More may be added. */
    public static RawBuilder without(RawDocument request, Set<String> left) {
        RawBuilder copy = new RawBuilder(request.size() + 256);
        RawCursor cursor = request.cursor();
        while (cursor.next()) {
            String name = cursor.name();
            boolean kept = !Fields.isGeneric(name) || KEPT.contains(name);
            if (kept && !left.contains(name)) {
                copy.element(cursor);
            }
        }
        return copy;
    }

    /** The same, all of it. */
    public static RawBuilder of(Operation operation) {
        return without(operation.request(), Set.of());
    }

    /** Another process's reply as this router's own: without that process's time, which the dispatcher replaces. */
    public static RawDocument reply(RawDocument reply) {
        RawBuilder own = new RawBuilder(reply.size());
        RawCursor field = reply.cursor();
        while (field.next()) {
            if (!field.nameEquals("$clusterTime") && !field.nameEquals("operationTime")) {
                own.element(field);
            }
        }
        return own.build();
    }
}
