package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.member.Member;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;

/**
 * {@code collStats}: sizes and counts of one collection.
 *
 * <pre>{ collStats: name, scale? }  →  { ns, size, count, avgObjSize, storageSize, nindexes, totalIndexSize, indexSizes, … }</pre>
 */
final class CollStatsCommand implements Command<CollStatsCommand.Request> {
    record Request(Namespace namespace, int scale) {}

    private final Reading reading;
    private final CollectionStats stats;

    CollStatsCommand(Member member) {
        reading = new Reading(member);
        stats = new CollectionStats(member);
    }

    @Override
    public String name() {
        return "collStats";
    }

    @Override
    public List<String> aliases() {
        return List.of("collstats");
    }

    @Override
    public Needs needs() {
        return Needs.read("collStats");
    }

    @Override
    public Request parse(Fields fields) {
        return new Request(new Namespace(fields.database(), fields.collection()), scale(fields));
    }

    /** The divisor of sizes, at least one. */
    static int scale(Fields fields) {
        long scale = fields.wholeNumber("scale", 1);
        if (scale < 1 || scale > Integer.MAX_VALUE) {
            throw BAD_VALUE.because("BSON field 'scale' value must be >= 1, actual value '%d'", scale);
        }
        return (int) scale;
    }

    @Override
    public RawDocument run(Request request, Operation operation) {
        try (Reading.Opened opened = reading.open(operation, request.namespace())) {
            RawBuilder reply = new RawBuilder().put("ns", request.namespace().toString());
            stats.put(reply, opened.view(), opened.collection(), request.scale());
            return reply.build();
        }
    }
}
