package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.node.member.Member;
import io.ostraka.storage.Engine;
import io.ostraka.storage.Family;
import io.ostraka.storage.IndexStore;
import io.ostraka.storage.RecordStore;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;

/**
 * {@code compact}: writes the files of a collection and its indexes anew on this member, without what was deleted.
 *
 * <pre>{ compact: name, dryRun?, force?, freeSpaceTargetMB? }  →  { bytesFreed } or { estimatedBytesFreed }</pre>
 *
 * Reads and writes go on. How much a dry run would free is not known beforehand: it answers 0.
 */
final class CompactCommand implements Command<CompactCommand.Request> {
    record Request(Namespace namespace, boolean dryRun) {}

    private final Member member;
    private final Reading reading;

    CompactCommand(Member member) {
        this.member = member;
        reading = new Reading(member);
    }

    @Override
    public String name() {
        return "compact";
    }

    @Override
    public Needs needs() {
        return Needs.read("compact");
    }

    @Override
    public Request parse(Fields fields) {
        fields.bool("force", false);
        fields.countLong("freeSpaceTargetMB");
        return new Request(new Namespace(fields.database(), fields.collection()), fields.bool("dryRun", false));
    }

    @Override
    public RawDocument run(Request request, Operation operation) {
        CollectionEntry collection;
        try (Reading.Opened opened = reading.open(operation, request.namespace)) {
            collection = opened.collection()
                    .orElseThrow(() -> NAMESPACE_NOT_FOUND.because("collection does not exist: %s", request.namespace));
        }
        if (request.dryRun) {
            return new RawBuilder().put("estimatedBytesFreed", 0L).build();
        }
        Engine engine = member.engine();
        RecordStore records = new RecordStore(collection.ident());
        long freed = compact(engine, Family.RECORDS, records.start(), records.end());
        for (IndexEntry index : collection.indexes()) {
            operation.checkAlive();
            IndexStore entries = new IndexStore(index.ident());
            freed += compact(engine, Family.INDEX, entries.start(), entries.end());
        }
        return new RawBuilder().put("bytesFreed", Math.max(0, freed)).build();
    }

    private static long compact(Engine engine, Family family, byte[] from, byte[] to) {
        engine.flush();
        long before = engine.estimatedBytes(family, from, to);
        engine.compact(family, from, to);
        return before - engine.estimatedBytes(family, from, to);
    }
}
