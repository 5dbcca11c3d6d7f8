package io.ostraka.node.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.member.Member;
import io.ostraka.node.write.IndexWriter;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.CreateIndexesRequest;
import java.util.List;
import java.util.Optional;

/**
 * {@code createIndexes}: makes indexes and waits until they are ready.
 *
 * <pre>
 * { createIndexes: name, indexes: [ { key, name, unique?, sparse?, … }, … ] }
 *   →  { numIndexesBefore, numIndexesAfter, createdCollectionAutomatically?, note? }
 * </pre>
 */
final class CreateIndexesCommand implements Command<CreateIndexesRequest> {
    private final Member member;

    CreateIndexesCommand(Member member) {
        this.member = member;
    }

    @Override
    public String name() {
        return "createIndexes";
    }

    @Override
    public Needs needs() {
        return Needs.write("createIndex");
    }

    @Override
    public CreateIndexesRequest parse(Fields fields) {
        return CreateIndexesRequest.parse(fields);
    }

    @Override
    public RawDocument run(CreateIndexesRequest request, Operation operation) {
        Namespace namespace = new Namespace(request.database(), request.collection());
        member.settings().guard().arrive(operation, namespace);
        List<IndexDefinition> definitions = request.indexes().stream()
                .map(spec -> definition(namespace, spec))
                .toList();
        IndexWriter.Created created = member.indexes().create(namespace, definitions, operation);
        RawBuilder reply = new RawBuilder()
                .put("numIndexesBefore", created.before())
                .put("numIndexesAfter", created.after())
                .put("createdCollectionAutomatically", created.createdCollection());
        if (created.before() == created.after()) {
            reply.put("note", "all indexes already exist");
        }
        return reply.build();
    }

    /** One that says nothing of a collation has the collection's. */
    private IndexDefinition definition(Namespace namespace, RawDocument spec) {
        IndexDefinition definition = IndexDefinition.parse(spec);
        return spec.find("collation") != null
                ? definition
                : definition.withCollation(Reading.collation(member, namespace, Optional.empty()));
    }
}
