package io.ostraka.router.command;

import static io.ostraka.core.error.ErrorCode.MERGE_NO_UNIQUE_INDEX;
import static io.ostraka.core.error.ErrorCode.MERGE_STAGE_NO_MATCHING_DOCUMENT;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_CANNOT_BE_SHARDED;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.path.FieldPath;
import io.ostraka.core.placement.Namespace;
import io.ostraka.query.pipeline.MergeStatements;
import io.ostraka.query.pipeline.Stage;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.ShardRequest;
import io.ostraka.router.routing.Routing;
import io.ostraka.router.write.BatchWriter;
import io.ostraka.router.write.InsertStatements;
import io.ostraka.router.write.UpdateStatements;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.InsertRequest;
import io.ostraka.wire.request.RenameRequest;
import io.ostraka.wire.request.UpdateRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;

/**
 * Writes what a pipeline makes to a cluster, for {@code $out} and {@code $merge}: the documents of all shards come
 * together here and go to the owners of their keys. An {@code $out} writes unsharded collections only.
 */
final class OutputOnCluster {
    /** Documents and bytes written at once. */
    private static final int BATCH_DOCUMENTS = 1_000;

    private static final long BATCH_BYTES = 4 << 20;

    private final ClusterServices services;
    private final CollectionCommands collections;
    private final IndexCommands indexes;

    OutputOnCluster(ClusterServices services, CollectionCommands collections, IndexCommands indexes) {
        this.services = services;
        this.collections = collections;
        this.indexes = indexes;
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
        Namespace temporary =
                new Namespace(target.database(), "tmp.agg_out." + services.ids().uuid());
        createLike(temporary, target, operation);
        try {
            List<RawDocument> batch = documents.batch(BATCH_DOCUMENTS, BATCH_BYTES);
            while (!batch.isEmpty()) {
                insert(temporary, batch, bypass, operation);
                batch = documents.batch(BATCH_DOCUMENTS, BATCH_BYTES);
            }
            rename(temporary, target, operation);
        } catch (RuntimeException failed) {
            try {
                RawDocument body =
                        new RawBuilder().put("drop", temporary.collection()).build();
                RawDocument unused = collections.drop(temporary, part("drop", temporary.database(), body, operation));
            } catch (CommandException e) {
                failed.addSuppressed(e);
            }
            throw failed;
        }
    }

    private static Operation part(String name, String database, RawDocument body, Operation operation) {
        return operation.part(name, body, operation.options().ofWrite(database));
    }

    private void createLike(Namespace temporary, Namespace target, Operation operation) {
        RawDocument unused = services.retry().run(target, operation, found -> {
            Routing routing = services.cache().orCreated(found, operation);
            if (routing.table().isPresent()) {
                throw NAMESPACE_CANNOT_BE_SHARDED.because(
                        "namespace '%s' is sharded, or was moved to a shard of its own: $out can only write an unsharded"
                                + " collection on its database's primary shard; use $merge",
                        target);
            }
            RawBuilder order = new RawBuilder()
                    .put("_shardsvrCreateLike", temporary.toString())
                    .put("like", target.toString());
            return services.gather()
                    .replies(
                            target.database(),
                            List.of(ShardRequest.order(
                                    routing.primary(),
                                    routing.addVersions(order, routing.primary())
                                            .build())),
                            operation)
                    .getFirst();
        });
    }

    private void rename(Namespace temporary, Namespace target, Operation operation) {
        BsonDocument body = new BsonDocument("renameCollection", new org.bson.BsonString(temporary.toString()))
                .append("to", new org.bson.BsonString(target.toString()))
                .append("dropTarget", BsonBoolean.TRUE);
        RawDocument raw = RawDocument.of(body);
        RenameRequest request = RenameRequest.parse(new Fields("renameCollection", "admin", raw, Map.of()));
        RawDocument unused = collections.rename(request, part("renameCollection", "admin", raw, operation));
    }

    private void insert(Namespace target, List<RawDocument> documents, boolean bypass, Operation operation) {
        RawDocument body = words("insert", target, bypass).build();
        Fields fields = new Fields("insert", target.database(), body, Map.of("documents", documents));
        InsertStatements statements = new InsertStatements(InsertRequest.parse(fields), services.ids());
        Operation part = part("insert", target.database(), body, operation);
        check(new BatchWriter(services, target, statements, true, false, part).run());
    }

    private static RawBuilder words(String command, Namespace target, boolean bypass) {
        return new RawBuilder()
                .put(command, target.collection())
                .put("ordered", true)
                .put("bypassDocumentValidation", bypass);
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
                merge, on(merge, target, operation), services.context(operation), services.ids()::objectId);
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
        RawDocument body = words("update", target, bypass)
                .put("let", RawDocument.of(merge.outer().toLet()))
                .build();
        List<RawDocument> updates =
                documents.stream().map(statements::statement).toList();
        Fields fields = new Fields("update", target.database(), body, Map.of("updates", updates));
        Operation part = part("update", target.database(), body, operation);
        RawDocument reply = new BatchWriter(
                        services,
                        target,
                        new UpdateStatements(services, UpdateRequest.parse(fields), part),
                        true,
                        true,
                        part)
                .run();
        check(reply);
        if (statements.mustMatch() && reply.get("n").asNumber().longValue() < documents.size()) {
            throw MERGE_STAGE_NO_MATCHING_DOCUMENT.because(
                    "$merge could not find a matching document in the target collection for at least one document in"
                            + " the source collection");
        }
    }

    /**
     * The fields that say which document of the target is meant: without the client's word those of the shard key and
     * {@code _id}, else as it says, and a unique index must say that they name one.
     */
    private List<FieldPath> on(Stage.Merge merge, Namespace target, Operation operation) {
        return services.retry().run(target, operation, routing -> {
            FieldPath id = FieldPath.of("_id");
            if (merge.on().isEmpty()) {
                List<FieldPath> own = new ArrayList<>(List.of(id));
                if (routing.isSharded()) {
                    routing.table().orElseThrow().key().fields().stream()
                            .map(FieldPath::of)
                            .filter(path -> !path.equals(id))
                            .forEach(own::add);
                }
                return own;
            }
            boolean isId = merge.on().equals(List.of(id));
            if (!isId && !isUnique(routing, new HashSet<>(merge.on()), operation)) {
                throw MERGE_NO_UNIQUE_INDEX.because(
                        "Cannot find index to verify that join fields will be unique: %s needs a unique index on exactly"
                                + " %s",
                        target, merge.on());
            }
            return merge.on();
        });
    }

    private boolean isUnique(Routing routing, Set<FieldPath> wanted, Operation operation) {
        List<BsonDocument> all;
        try {
            all = routing.isNowhere() ? List.of() : indexes.indexes(routing, operation);
        } catch (CommandException e) {
            if (e.code() != NAMESPACE_NOT_FOUND) {
                throw e;
            }
            all = List.of();
        }
        return all.stream().anyMatch(index -> {
            Set<FieldPath> fields = new HashSet<>();
            index.getDocument("key").keySet().forEach(name -> fields.add(FieldPath.of(name)));
            return index.getBoolean("unique", BsonBoolean.FALSE).getValue()
                    && !index.containsKey("partialFilterExpression")
                    && fields.equals(wanted);
        });
    }
}
