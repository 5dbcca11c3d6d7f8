package io.ostraka.node.command;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.member.Member;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.RenameRequest;

/**
 * {@code renameCollection}: gives a collection another name, in another database too.
 *
 * <pre>{ renameCollection: from, to: to, dropTarget? }  →  { }</pre>
 */
final class RenameCollectionCommand implements Command<RenameRequest> {
    private final Member member;

    RenameCollectionCommand(Member member) {
        this.member = member;
    }

    @Override
    public String name() {
        return "renameCollection";
    }

    @Override
    public Needs needs() {
        return Needs.admin("renameCollection", Needs.Kind.WRITE);
    }

    @Override
    public RenameRequest parse(Fields fields) {
        return RenameRequest.parse(fields);
    }

    @Override
    public RawDocument run(RenameRequest request, Operation operation) {
        Namespace from = Namespace.parse(request.from());
        Namespace to = Namespace.parse(request.to());
        member.settings().guard().arrive(operation, from);
        member.collections().rename(from, to, request.dropTarget(), operation);
        return RawDocument.EMPTY;
    }
}
