package io.ostraka.router.command;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.write.BatchWriter;
import io.ostraka.router.write.DeleteStatements;
import io.ostraka.router.write.InsertStatements;
import io.ostraka.router.write.Statements;
import io.ostraka.router.write.UpdateStatements;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.DeleteRequest;
import io.ostraka.wire.request.InsertRequest;
import io.ostraka.wire.request.UpdateRequest;
import java.util.List;

/**
 * {@code insert}, {@code update} and {@code delete} on a cluster. Statements keep the client's numbers, so that the shards
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
        return List.of(new Insert(), new Update(), new Delete());
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
}
