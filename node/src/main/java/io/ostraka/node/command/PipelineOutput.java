package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.MERGE_NO_UNIQUE_INDEX;
import static io.ostraka.core.error.ErrorCode.MERGE_STAGE_NO_MATCHING_DOCUMENT;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.path.FieldPath;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.node.member.Member;
import io.ostraka.query.index.IndexField;
import io.ostraka.query.pipeline.MergeStatements;
import io.ostraka.query.pipeline.Stage;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.InsertRequest;
import io.ostraka.wire.request.UpdateRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes what a pipeline makes, for {@code $out} and {@code $merge}, by the commands a client would send. Of a
 * {@code $merge} that fails what was written before stays; an {@code $out} shows all or nothing.
 */
final class PipelineOutput {
    /** Documents and bytes written at once. */
    private static final int BATCH_DOCUMENTS = 1_000;

    private static final long BATCH_BYTES = 4 << 20;

    private final Member member;
    private final InsertCommand insert;
    private final UpdateCommand update;

    PipelineOutput(Member member, InsertCommand insert, UpdateCommand update) {
        this.member = member;
        this.insert = insert;
        this.update = update;
    }

    /**
     * Writes all documents.
     *
     * @param database the pipeline's, for targets that name none
     */
    void write(Stage stage, String database, boolean bypassValidation, DocumentStream documents, Operation operation) {
        switch (stage) {
            case Stage.Out out -> {
                Namespace target = new Namespace(out.database().orElse(database), out.collection());
                MergeStatements.checkTarget(target.database());
                out(target, bypassValidation, documents, operation);
            }
            case Stage.Merge merge -> {
                Namespace target = new Namespace(merge.database().orElse(database), merge.collection());
                MergeStatements.checkTarget(target.database());
                merge(merge, target, bypassValidation, documents, operation);
            }
            default -> throw new IllegalArgumentException("the stage does not write");
        }
    }

    private void out(Namespace target, boolean bypass, DocumentStream documents, Operation operation) {
        Operation part = part("insert", target, RawDocument.EMPTY, operation);
        Namespace temporary = temporary(target, member.settings().ids().uuid().toString());
        member.collections().createLike(temporary, target, part);
        try {
            List<RawDocument> batch = documents.batch(BATCH_DOCUMENTS, BATCH_BYTES);
            while (!batch.isEmpty()) {
                insert(temporary, batch, bypass, operation);
                batch = documents.batch(BATCH_DOCUMENTS, BATCH_BYTES);
            }
            member.collections().rename(temporary, target, true, part);
        } catch (RuntimeException failed) {
            try {
                boolean unused = member.collections().drop(temporary, part);
            } catch (CommandException e) {
                failed.addSuppressed(e);
            }
            throw failed;
        }
    }

    /** The name of the collection that becomes the target in the end. */
    private static Namespace temporary(Namespace target, String unique) {
        return new Namespace(target.database(), "tmp.agg_out." + unique);
    }

    private static Operation part(String name, Namespace target, RawDocument body, Operation operation) {
        return operation.part(name, body, operation.options().ofWrite(target.database()));
    }

    private void insert(Namespace target, List<RawDocument> documents, boolean bypass, Operation operation) {
        RawDocument body = words("insert", target, bypass);
        Fields fields = new Fields("insert", target.database(), body, Map.of("documents", documents));
        check(insert.run(InsertRequest.parse(fields), part("insert", target, body, operation)));
    }

    private static RawDocument words(String command, Namespace target, boolean bypass) {
        return new RawBuilder()
                .put(command, target.collection())
                .put("ordered", true)
                .put("bypassDocumentValidation", bypass)
                .build();
    }

    /** Ends the pipeline with the first error of a write. */
    private static void check(RawDocument reply) {
        RawCursor errors = reply.find("writeErrors");
        if (errors != null) {
            RawCursor first = errors.document().cursor();
            if (first.next()) {
                throw CommandException.fromReply(first.document().toBson());
            }
        }
    }

    private void merge(
            Stage.Merge merge, Namespace target, boolean bypass, DocumentStream documents, Operation operation) {
        MergeStatements statements = new MergeStatements(
                merge,
                on(merge, target),
                member.context(operation::checkAlive),
                member.settings().ids()::objectId);
        List<RawDocument> batch = documents.batch(BATCH_DOCUMENTS, BATCH_BYTES);
        while (!batch.isEmpty()) {
            List<RawDocument> checked = batch.stream().map(statements::document).toList();
            if (statements.inserts()) {
                insert(target, checked, bypass, operation);
            } else {
                update(merge, statements, target, checked, bypass, operation);
            }
            batch = documents.batch(BATCH_DOCUMENTS, BATCH_BYTES);
        }
    }

    private void update(
            Stage.Merge merge,
            MergeStatements statements,
            Namespace target,
            List<RawDocument> documents,
            boolean bypass,
            Operation operation) {
        RawDocument body = new RawBuilder()
                .elements(words("update", target, bypass))
                .put("let", RawDocument.of(merge.outer().toLet()))
                .build();
        List<RawDocument> updates =
                documents.stream().map(statements::statement).toList();
        Fields fields = new Fields("update", target.database(), body, Map.of("updates", updates));
        RawDocument reply = update.run(UpdateRequest.parse(fields), part("update", target, body, operation));
        check(reply);
        if (statements.mustMatch() && reply.find("n").int32() < documents.size()) {
            throw MERGE_STAGE_NO_MATCHING_DOCUMENT.because(
                    "$merge could not find a matching document in the target collection for at least one document in"
                            + " the source collection");
        }
    }

    /** The fields that say which document of the target is meant. A unique index must say that it is one. */
    private List<FieldPath> on(Stage.Merge merge, Namespace target) {
        FieldPath id = FieldPath.of("_id");
        if (merge.on().isEmpty() || merge.on().equals(List.of(id))) {
            return List.of(id);
        }
        Optional<CollectionEntry> entry = member.views().catalog().find(target);
        Set<FieldPath> wanted = new HashSet<>(merge.on());
        boolean unique = entry.isPresent() && entry.get().indexes().stream().anyMatch(index -> names(index, wanted));
        if (!unique) {
            throw MERGE_NO_UNIQUE_INDEX.because(
                    "Cannot find index to verify that join fields will be unique: %s needs a unique index on exactly %s",
                    target, merge.on());
        }
        return merge.on();
    }

    private static boolean names(IndexEntry index, Set<FieldPath> wanted) {
        Set<FieldPath> fields = new HashSet<>();
        index.definition().fields().stream().map(IndexField::path).forEach(fields::add);
        return index.isReady()
                && index.isUnique()
                && index.definition().partialFilter().isEmpty()
                && fields.equals(wanted);
    }
}
