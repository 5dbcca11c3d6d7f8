package io.ostraka.router.command;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.COMMAND_NOT_SUPPORTED;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.Forward;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.DeleteRequest;
import io.ostraka.wire.request.InsertRequest;
import io.ostraka.wire.request.Modification;
import io.ostraka.wire.request.UpdateRequest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * Writes by hand into the databases of the config servers. Clients may write {@code config.settings},
 * {@code config.tags} and the switches in {@code config.collections} that shells write; what is written is checked. Any
 * other write to the catalog is answered with the command to use, as 115: drivers hide the text of a 20.
 */
final class ConfigWrites {
    private static final Set<String> SWITCHES = Set.of("noBalance", "enableAutoMerge");

    /** What the config servers and members keep; other names are the user's, who may write what he likes there. */
    private static final Set<String> CATALOG = Set.of(
            "actionlog",
            "changelog",
            "chunks",
            "collections",
            "coordinators",
            "databases",
            "donations",
            "mongos",
            "movePlans",
            "placementHistory",
            "rangeDeletions",
            "receipts",
            "shards",
            "transactionParts",
            "transactions",
            "version");

    private static final Pattern TIME_OF_DAY = Pattern.compile("([01]?\\d|2[0-3]):[0-5]\\d");

    private final ClusterServices services;

    ConfigWrites(ClusterServices services) {
        this.services = services;
    }

    RawDocument insert(InsertRequest request, Operation operation) {
        checkOpen(request.database(), request.collection());
        if (isSettings(request.database(), request.collection())) {
            for (RawDocument document : request.documents()) {
                checkSetting(document.toBson(), document.toBson());
            }
        }
        return pass(operation, "documents", request.documents());
    }

    RawDocument update(UpdateRequest request, Operation operation) {
        if (request.database().equals("config") && request.collection().equals("collections")) {
            request.statements().forEach(ConfigWrites::checkSwitch);
        } else {
            checkOpen(request.database(), request.collection());
        }
        if (isSettings(request.database(), request.collection())) {
            for (UpdateRequest.Statement statement : request.statements()) {
                checkSetting(statement.filter().toBson(), written(statement.update()));
            }
        }
        return pass(
                operation,
                "updates",
                request.statements().stream().map(UpdateRequest.Statement::raw).toList());
    }

    RawDocument delete(DeleteRequest request, Operation operation) {
        checkOpen(request.database(), request.collection());
        return pass(
                operation,
                "deletes",
                request.statements().stream().map(DeleteRequest.Statement::raw).toList());
    }

    private RawDocument pass(Operation operation, String field, List<RawDocument> statements) {
        RawBuilder command = Forward.without(operation.request(), Set.of(field));
        return Forward.reply(services.config()
                .set()
                .run(operation.database(), command.build(), Map.of(field, statements), false, operation));
    }

    private static boolean isSettings(String database, String collection) {
        return database.equals("config") && collection.equals("settings");
    }

    static void checkOpen(String database, String collection) {
        boolean kept = CATALOG.contains(collection)
                || collection.startsWith("system.")
                || collection.startsWith("receiptMap.");
        if (database.equals("config") && kept) {
            throw COMMAND_NOT_SUPPORTED.because(
                    "config.%s belongs to the cluster's catalog and is not written by hand; use the sh.* commands "
                            + "(shardCollection, split, moveChunk, addShard, updateZoneKeyRange, balancerStop …)",
                    collection);
        }
    }

    private static void checkSwitch(UpdateRequest.Statement statement) {
        boolean allowed = statement.update() instanceof Modification.Operators && !statement.upsert();
        if (allowed) {
            for (var operator : written(statement.update()).entrySet()) {
                allowed &= SWITCHES.contains(operator.getKey());
            }
        }
        if (!allowed) {
            throw COMMAND_NOT_SUPPORTED.because(
                    "in config.collections only the switches %s may be written by hand; use the sh.* commands for the rest",
                    new java.util.TreeSet<>(SWITCHES));
        }
    }

    /** The fields an update writes, of whatever form. */
    private static BsonDocument written(Modification update) {
        return switch (update) {
            case Modification.Replacement replacement -> replacement.document().toBson();
            case Modification.Operators operators -> {
                BsonDocument all = new BsonDocument();
                operators.update().toBson().values().forEach(fields -> {
                    if (fields.isDocument()) {
                        all.putAll(fields.asDocument());
                    }
                });
                yield all;
            }
            case Modification.Pipeline pipeline ->
                throw COMMAND_NOT_SUPPORTED.because("the catalog is not written by pipelines");
        };
    }

    private static void checkSetting(BsonDocument which, BsonDocument fields) {
        BsonValue id = which.get("_id");
        if (id == null || !id.isString()) {
            throw BAD_VALUE.because("name the setting by its _id, as in {_id: \"chunksize\"}");
        }
        switch (id.asString().getValue()) {
            case "chunksize" -> checkChunkSize(fields.get("value"));
            case "balancer" -> checkWindow(fields);
            default -> {}
        }
    }

    private static void checkChunkSize(BsonValue megabytes) {
        boolean good = megabytes == null
                || megabytes.isNumber()
                        && megabytes.asNumber().doubleValue() >= 1
                        && megabytes.asNumber().doubleValue() <= 1024;
        if (!good) {
            throw BAD_VALUE.because("chunksize is a number of megabytes from 1 to 1024");
        }
    }

    private static void checkWindow(BsonDocument fields) {
        BsonValue window = fields.get("activeWindow");
        if (window == null || !window.isDocument()) {
            return;
        }
        for (String end : new String[] {"start", "stop"}) {
            BsonValue time = window.asDocument().get(end);
            if (time == null
                    || !time.isString()
                    || !TIME_OF_DAY.matcher(time.asString().getValue()).matches()) {
                throw BAD_VALUE.because("activeWindow needs 'start' and 'stop' as \"HH:MM\"");
            }
        }
    }
}
