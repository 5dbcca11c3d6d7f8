package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.INDEX_NOT_FOUND;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.member.Member;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.index.IndexField;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Optional;

/**
 * {@code collMod}: hides an index from plans, or shows it again. Other options are refused until they exist.
 *
 * <pre>{ collMod: name, index: { name | keyPattern, hidden: b } }  →  { hidden_old, hidden_new }</pre>
 */
final class CollModCommand implements Command<CollModCommand.Request> {
    record Request(Namespace namespace, Optional<String> name, Optional<RawDocument> keyPattern, boolean hidden) {}

    private final Member member;

    CollModCommand(Member member) {
        this.member = member;
    }

    @Override
    public String name() {
        return "collMod";
    }

    @Override
    public Needs needs() {
        return Needs.write("collMod");
    }

    @Override
    public Request parse(Fields fields) {
        Fields index = fields.nested("index", fields.requiredDocument("index"));
        Optional<String> name = index.string("name");
        Optional<RawDocument> keyPattern = index.document("keyPattern");
        if (name.isPresent() == keyPattern.isPresent()) {
            throw INVALID_OPTIONS.because("Must specify either index name or key pattern.");
        }
        if (!index.has("hidden")) {
            throw INVALID_OPTIONS.because("no expireAfterSeconds, hidden, unique, or prepareUnique field");
        }
        boolean hidden = index.bool("hidden", false);
        index.refuseUnknown();
        return new Request(new Namespace(fields.database(), fields.collection()), name, keyPattern, hidden);
    }

    @Override
    public RawDocument run(Request request, Operation operation) {
        member.settings().guard().arrive(operation, request.namespace());
        String name = request.name()
                .orElseGet(() -> named(request.namespace(), request.keyPattern().orElseThrow()));
        boolean before = member.indexes().hide(request.namespace(), name, request.hidden(), operation);
        return new RawBuilder()
                .put("hidden_old", before)
                .put("hidden_new", request.hidden())
                .build();
    }

    private String named(Namespace namespace, RawDocument pattern) {
        List<IndexField> fields = IndexDefinition.fields(pattern);
        return member.views().catalog().get(namespace).indexes().stream()
                .filter(index -> index.definition().fields().equals(fields))
                .findFirst()
                .orElseThrow(() -> INDEX_NOT_FOUND.because("cannot find index %s for ns %s", pattern, namespace))
                .name();
    }
}
