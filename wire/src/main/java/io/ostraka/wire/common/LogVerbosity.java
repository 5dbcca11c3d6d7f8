package io.ostraka.wire.common;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/**
 * How much each component tells in the log: the parameters {@code logComponentVerbosity} and {@code logLevel}, with
 * which {@code db.getLogComponents()} and {@code db.setLogLevel()} work. Safe for many threads.
 */
final class LogVerbosity {
    private static final int MOST = 5;
    private static final int INHERITED = -1;
    private static final String VERBOSITY = "verbosity";

    /** The components, those within others dotted and behind them. */
    private static final List<String> COMPONENTS = List.of(
            "accessControl",
            "command",
            "control",
            "executor",
            "geo",
            "index",
            "network",
            "query",
            "replication",
            "replication.election",
            "replication.heartbeats",
            "replication.initialSync",
            "replication.rollback",
            "sharding",
            "sharding.migration",
            "sharding.rangeDeleter",
            "storage",
            "storage.journal",
            "storage.recovery",
            "transaction",
            "write");

    private final ProcessHooks hooks;
    private final Map<String, Integer> levels = new LinkedHashMap<>();

    LogVerbosity(ProcessHooks hooks) {
        this.hooks = hooks;
        levels.put("", 0);
        COMPONENTS.forEach(component -> levels.put(component, INHERITED));
    }

    List<Parameters.Parameter> parameters() {
        return List.of(
                new Parameters.Parameter("logComponentVerbosity", this::tree, value -> {
                    if (!value.isDocument()) {
                        throw TYPE_MISMATCH.because("logComponentVerbosity must be a document, as {verbosity: 1}");
                    }
                    Map<String, Integer> changes = new LinkedHashMap<>();
                    collect("", value.asDocument(), changes);
                    return set(changes);
                }),
                new Parameters.Parameter("logLevel", this::logLevel, value -> {
                    BsonValue unused = set(Map.of("", level("", value)));
                    return logLevel();
                }));
    }

    private synchronized BsonValue logLevel() {
        return new BsonInt32(levels.get(""));
    }

    private synchronized BsonValue set(Map<String, Integer> changes) {
        levels.putAll(changes);
        changes.forEach(hooks::verbosity);
        return tree();
    }

    /** Reads all of it before anything is changed. */
    private void collect(String within, BsonDocument part, Map<String, Integer> into) {
        part.forEach((name, value) -> {
            String component = within.isEmpty() ? name : within + "." + name;
            if (name.equals(VERBOSITY)) {
                into.put(within, level(within, value));
            } else if (!COMPONENTS.contains(component)) {
                throw BAD_VALUE.because("Invalid component name logComponentVerbosity.%s", component);
            } else if (value.isDocument()) {
                collect(component, value.asDocument(), into);
            } else {
                into.put(component, level(component, value));
            }
        });
    }

    private static int level(String component, BsonValue value) {
        if (!value.isNumber()) {
            throw BAD_VALUE.because("Expected a number for the verbosity of '%s'", component);
        }
        double level = value.asNumber().doubleValue();
        int least = component.isEmpty() ? 0 : INHERITED;
        if (level < least || level > MOST || level != Math.rint(level)) {
            throw BAD_VALUE.because("The verbosity of '%s' must be from %d to %d", component, least, MOST);
        }
        return (int) level;
    }

    private synchronized BsonValue tree() {
        BsonDocument tree = new BsonDocument();
        levels.forEach((component, level) -> {
            BsonDocument in = tree;
            for (String part : component.isEmpty() ? new String[0] : component.split("\\.")) {
                in = (BsonDocument) in.computeIfAbsent(part, _ -> new BsonDocument());
            }
            in.put(VERBOSITY, new BsonInt32(level));
        });
        return tree;
    }
}
