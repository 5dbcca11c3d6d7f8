package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.INDEX_NOT_FOUND;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.member.Member;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.index.IndexField;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.DropIndexesRequest;
import java.util.List;

/**
 * {@code dropIndexes}: takes indexes away.
 *
 * <pre>{ dropIndexes: name, index: "*" | name | [ name, … ] | key }  →  { nIndexesWas }</pre>
 */
final class DropIndexesCommand implements Command<DropIndexesRequest> {
    private final Member member;

    DropIndexesCommand(Member member) {
        this.member = member;
    }

    @Override
    public String name() {
        return "dropIndexes";
    }

    @Override
    public List<String> aliases() {
        return List.of("deleteIndexes");
    }

    @Override
    public Needs needs() {
        return Needs.write("dropIndex");
    }

    @Override
    public DropIndexesRequest parse(Fields fields) {
        return DropIndexesRequest.parse(fields);
    }

    @Override
    public RawDocument run(DropIndexesRequest request, Operation operation) {
        Namespace namespace = new Namespace(request.database(), request.collection());
        member.settings().guard().arrive(operation, namespace);
        int before = switch (request.which()) {
            case DropIndexesRequest.Which.All _ -> member.indexes().dropAll(namespace, operation);
            case DropIndexesRequest.Which.Named(var names) -> member.indexes().drop(namespace, names, operation);
            case DropIndexesRequest.Which.ByKey(var pattern) ->
                member.indexes().drop(namespace, List.of(named(namespace, pattern)), operation);
        };
        return new RawBuilder().put("nIndexesWas", before).build();
    }

    private String named(Namespace namespace, RawDocument pattern) {
        CollectionEntry entry = member.views().catalog().get(namespace);
        List<IndexField> fields = IndexDefinition.fields(pattern);
        return entry.indexes().stream()
                .filter(index -> index.definition().fields().equals(fields))
                .findFirst()
                .orElseThrow(() -> INDEX_NOT_FOUND.because("can't find index with key: %s", pattern))
                .name();
    }
}
