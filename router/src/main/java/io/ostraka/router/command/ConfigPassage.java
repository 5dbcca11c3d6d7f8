package io.ostraka.router.command;

import static io.ostraka.core.error.ErrorCode.INVALID_NAMESPACE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.ShardId;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.Forward;
import io.ostraka.router.gather.MergedCursor;
import io.ostraka.router.gather.ShardCursor;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.cursor.BatchReply;
import java.util.List;
import java.util.Map;

/** Commands over the databases that live on the config servers: passed on as they are. */
final class ConfigPassage {
    private final ClusterServices services;

    ConfigPassage(ClusterServices services) {
        this.services = services;
    }

    /**
     * Whether a database is the config servers'.
     *
     * @throws io.ostraka.core.error.CommandException 73 for {@code local}, which every member has its own
     */
    static boolean concerns(String database) {
        if (database.equals("local")) {
            throw INVALID_NAMESPACE.because(
                    "the database 'local' belongs to each server alone; connect to that server to use it");
        }
        return database.equals("config") || database.equals("admin");
    }

    /** Passes a command on and answers what the config servers do. */
    RawDocument run(Operation operation, boolean repeatable) {
        return run(operation, Map.of(), repeatable);
    }

    RawDocument run(Operation operation, Map<String, List<RawDocument>> sequences, boolean repeatable) {
        RawDocument command = Forward.of(operation).build();
        return services.config().set().run(operation.database(), command, sequences, repeatable, operation);
    }

    /** Passes a command on that opens a cursor; the client gets one of this router's. */
    RawDocument open(Operation operation, String namespace, int firstBatch, boolean single) {
        ShardCursor cursor = new ShardCursor(ShardId.CONFIG, services.config().set(), run(operation, true));
        return services.cursors()
                .open(
                        new MergedCursor(
                                List.of(cursor), MergedCursor.Shape.PLAIN, services.threads(), services.clock()),
                        namespace,
                        BatchReply.first(namespace, firstBatch),
                        single,
                        false,
                        operation);
    }
}
