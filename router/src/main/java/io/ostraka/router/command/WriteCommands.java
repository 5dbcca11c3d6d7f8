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
import io.ostraka.wire.session.RetryableWrites;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * {@code insert}, {@code update} and {@code delete} on a cluster. A number the client's session used before gets the
 * answer it got then.
 */
final class WriteCommands {
    /** The place of a whole command's answer among a session's statements. */
    private static final int WHOLE = -1;

    private final ClusterServices services;
    private final ConfigWrites config;

    WriteCommands(ClusterServices services) {
        this.services = services;
        this.config = new ConfigWrites(services);
    }

    List<Command<?>> all() {
        return List.of(new Insert(), new Update(), new Delete());
    }

    /** Runs a numbered command once. */
    static RawDocument once(RetryableWrites writes, Operation operation, Supplier<RawDocument> write) {
        try (RetryableWrites.Held held = writes.hold(operation)) {
            Optional<RawDocument> first = held.first(WHOLE);
            if (first.isPresent()) {
                return first.get();
            }
            RawDocument reply = write.get();
            held.record(WHOLE, reply);
            return reply;
        }
    }

    private RawDocument write(
            String database,
            String collection,
            Statements statements,
            boolean ordered,
            boolean counts,
            Operation operation) {
        Namespace namespace = new Namespace(database, collection);
        return once(
                services.writes(),
                operation,
                () -> new BatchWriter(services, namespace, statements, ordered, counts, operation).run());
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
