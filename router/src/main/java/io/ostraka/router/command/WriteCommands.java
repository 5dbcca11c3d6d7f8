package io.ostraka.router.command;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.StreamCursor;
import io.ostraka.router.write.BatchWriter;
import io.ostraka.router.write.DeleteStatements;
import io.ostraka.router.write.InsertStatements;
import io.ostraka.router.write.Statements;
import io.ostraka.router.write.UpdateStatements;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.cursor.BatchReply;
import io.ostraka.wire.request.BulkWriteRequest;
import io.ostraka.wire.request.BulkWriteResults;
import io.ostraka.wire.request.DeleteRequest;
import io.ostraka.wire.request.FindRequest;
import io.ostraka.wire.request.InsertRequest;
import io.ostraka.wire.request.UpdateRequest;
import java.util.List;

/**
 * {@code insert}, {@code update}, {@code delete} and {@code bulkWrite} on a cluster. Statements keep the client's numbers, so that the shards
 * recognise those they have run.
 */
final class WriteCommands {
    private final ClusterServices services;
    private final ConfigWrites config;

    WriteCommands(ClusterServices services) {
        this.services = services;
        this.config = new ConfigWrites(services);
    }

    List<Command<?>> all() {
        return List.of(new Insert(), new Update(), new Delete(), new BulkWrite());
    }

    private RawDocument write(
            String database,
            String collection,
            Statements statements,
            boolean ordered,
            boolean counts,
            Operation operation) {
        Namespace namespace = new Namespace(database, collection);
        return new BatchWriter(services, namespace, statements, ordered, counts, operation).run();
    }

    private final class Insert implements Command<InsertRequest> {
        @Override
        public String name() {
            return "insert";
        }

        @Override
        public Needs needs() {
            return Needs.write("insert");
        }

        @Override
        public InsertRequest parse(Fields fields) {
            return InsertRequest.parse(fields);
        }

        @Override
        public RawDocument run(InsertRequest request, Operation operation) {
            if (ConfigPassage.concerns(request.database())) {
                return config.insert(request, operation);
            }
            return write(
                    request.database(),
                    request.collection(),
                    new InsertStatements(request, services.ids()),
                    request.ordered(),
                    false,
                    operation);
        }
    }

    private final class Update implements Command<UpdateRequest> {
        @Override
        public String name() {
            return "update";
        }

        @Override
        public Needs needs() {
            return Needs.write("update");
        }

        @Override
        public UpdateRequest parse(Fields fields) {
            return UpdateRequest.parse(fields);
        }

        @Override
        public RawDocument run(UpdateRequest request, Operation operation) {
            if (ConfigPassage.concerns(request.database())) {
                return config.update(request, operation);
            }
            return write(
                    request.database(),
                    request.collection(),
                    new UpdateStatements(services, request, operation),
                    request.ordered(),
                    true,
                    operation);
        }
    }

    private final class Delete implements Command<DeleteRequest> {
        @Override
        public String name() {
            return "delete";
        }

        @Override
        public Needs needs() {
            return Needs.write("remove");
        }

        @Override
        public DeleteRequest parse(Fields fields) {
            return DeleteRequest.parse(fields);
        }

        @Override
        public RawDocument run(DeleteRequest request, Operation operation) {
            if (ConfigPassage.concerns(request.database())) {
                return config.delete(request, operation);
            }
            return write(
                    request.database(),
                    request.collection(),
                    new DeleteStatements(services, request, operation),
                    request.ordered(),
                    false,
                    operation);
        }
    }

    private final class BulkWrite implements Command<BulkWriteRequest> {
        private final Insert insert = new Insert();
        private final Update update = new Update();
        private final Delete delete = new Delete();

        @Override
        public String name() {
            return "bulkWrite";
        }

        @Override
        public Needs needs() {
            return Needs.admin("bulkWrite", Needs.Kind.WRITE);
        }

        @Override
        public BulkWriteRequest parse(Fields fields) {
            return BulkWriteRequest.parse(fields);
        }

        @Override
        public RawDocument run(BulkWriteRequest request, Operation operation) {
            BulkWriteResults results = BulkWriteResults.of(request, this::run, operation);
            StreamCursor cursor = new StreamCursor(operation, _ -> DocumentStream.of(results.rows()));
            BatchReply batch = BatchReply.first(
                    BulkWriteRequest.NAMESPACE, request.batchSize().orElse(FindRequest.FIRST_BATCH));
            return results.withTotals(
                    services.cursors().open(cursor, BulkWriteRequest.NAMESPACE, batch, false, false, operation));
        }

        private RawDocument run(BulkWriteRequest.Kind kind, Fields fields, Operation part) {
            return switch (kind) {
                case INSERT -> insert.run(InsertRequest.parse(fields), part);
                case UPDATE -> update.run(UpdateRequest.parse(fields), part);
                case DELETE -> delete.run(DeleteRequest.parse(fields), part);
            };
        }
    }
}
