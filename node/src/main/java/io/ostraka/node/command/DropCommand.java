package io.ostraka.node.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.member.Member;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.Optional;

/**
 * {@code drop}: takes a collection away with its indexes.
 *
 * <pre>{ drop: name }  →  { nIndexesWas, ns }</pre>
 *
 * One that does not exist is no error.
 */
final class DropCommand implements Command<Namespace> {
    private final Member member;

    DropCommand(Member member) {
        this.member = member;
    }

    @Override
    public String name() {
        return "drop";
    }

    @Override
    public Needs needs() {
        return Needs.write("dropCollection");
    }

    @Override
    public Namespace parse(Fields fields) {
        fields.raw("collectionUUID");
        return new Namespace(fields.database(), fields.collection());
    }

    @Override
    public RawDocument run(Namespace namespace, Operation operation) {
        member.settings().guard().arrive(operation, namespace);
        Optional<CollectionEntry> entry = member.views().catalog().find(namespace);
        RawBuilder reply = new RawBuilder();
        if (entry.isPresent() && member.collections().drop(namespace, operation)) {
            reply.put("nIndexesWas", entry.get().indexes().size()).put("ns", namespace.toString());
        }
        return reply.build();
    }
}
