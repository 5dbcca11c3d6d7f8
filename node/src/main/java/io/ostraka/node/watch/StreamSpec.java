package io.ostraka.node.watch;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.INVALID_NAMESPACE;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.INVALID_RESUME_TOKEN;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;

/**
 * What {@code $changeStream} asks for.
 *
 * @param database empty for the whole set
 * @param collection empty for a whole database, or the set
 * @param after what changes are documents after them shown of
 * @param before whether documents before them are shown
 * @param from where it begins; empty for now
 * @param expanded whether events are shown that are no changes of documents
 */
public record StreamSpec(
        Optional<String> database,
        Optional<String> collection,
        After after,
        Before before,
        Optional<From> from,
        boolean expanded) {
    /** {@code fullDocument}. */
    enum After {
        DEFAULT,
        LOOKUP,
        WHEN_AVAILABLE,
        REQUIRED
    }

    /** {@code fullDocumentBeforeChange}. */
    enum Before {
        OFF,
        WHEN_AVAILABLE,
        REQUIRED
    }

    /**
     * The first row that counts: its time and number.
     *
     * @param shown whether its first event has been shown: a row may have two
     */
    record From(long time, int row, boolean shown) {
        From(long time, int row) {
            this(time, row, false);
        }
    }

    private static final Set<String> OWN = Set.of("admin", "config", "local");

    private static final Map<String, After> AFTER = Map.of(
            "default",
            After.DEFAULT,
            "updateLookup",
            After.LOOKUP,
            "whenAvailable",
            After.WHEN_AVAILABLE,
            "required",
            After.REQUIRED);

    private static final Map<String, Before> BEFORE =
            Map.of("off", Before.OFF, "whenAvailable", Before.WHEN_AVAILABLE, "required", Before.REQUIRED);

    /**
     * Reads the stage.
     *
     * @param collection empty where the command is on the database
     */
    public static StreamSpec parse(String database, Optional<String> collection, BsonValue stage) {
        if (!stage.isDocument()) {
            throw TYPE_MISMATCH.because("the $changeStream stage must be specified as an object");
        }
        After after = After.DEFAULT;
        Before before = Before.OFF;
        Optional<From> from = Optional.empty();
        boolean expanded = false;
        boolean all = false;
        int starts = 0;
        for (Map.Entry<String, BsonValue> option : stage.asDocument().entrySet()) {
            BsonValue value = option.getValue();
            switch (option.getKey()) {
                case "fullDocument" -> after = word(AFTER, option.getKey(), value);
                case "fullDocumentBeforeChange" -> before = word(BEFORE, option.getKey(), value);
                case "resumeAfter", "startAfter" -> {
                    starts++;
                    from = Optional.of(from(option.getKey(), value));
                }
                case "startAtOperationTime" -> {
                    starts++;
                    if (!(value instanceof BsonTimestamp time)) {
                        throw TYPE_MISMATCH.because("startAtOperationTime is a timestamp");
                    }
                    from = Optional.of(new From(time.getValue(), 0));
                }
                case "showExpandedEvents" ->
                    expanded = value.isBoolean() && value.asBoolean().getValue();
                case "allChangesForCluster" ->
                    all = value.isBoolean() && value.asBoolean().getValue();
                default ->
                    throw BAD_VALUE.because(
                            "BSON field '$changeStream.%s' is an unknown field, or is not supported yet",
                            option.getKey());
            }
        }
        if (starts > 1) {
            throw INVALID_OPTIONS.because("Only one type of resume option is allowed, but multiple were found.");
        }
        check(database, collection, all);
        return new StreamSpec(
                all ? Optional.empty() : Optional.of(database), collection, after, before, from, expanded);
    }

    private static void check(String database, Optional<String> collection, boolean all) {
        if (all && (!database.equals("admin") || collection.isPresent())) {
            throw INVALID_OPTIONS.because(
                    "A $changeStream with 'allChangesForCluster:true' may only be opened on the 'admin' database, and with no"
                            + " collection name");
        }
        if (!all && OWN.contains(database)) {
            throw INVALID_NAMESPACE.because("$changeStream may not be opened on the internal %s database", database);
        }
    }

    private static <T> T word(Map<String, T> words, String field, BsonValue value) {
        T found = value.isString() ? words.get(value.asString().getValue()) : null;
        if (found == null) {
            throw BAD_VALUE.because("Enumeration value for field '$changeStream.%s' is not a valid value.", field);
        }
        return found;
    }

    private static From from(String option, BsonValue value) {
        if (!value.isDocument()) {
            throw TYPE_MISMATCH.because("%s is the token of an event: {_data: text}", option);
        }
        ResumeToken token = ResumeToken.of(RawDocument.of(value.asDocument()));
        return switch (token.kind()) {
            case EVENT -> new From(token.time(), token.row(), true);
            case HIGH_WATER -> new From(token.time() + 1, 0);
            case INVALIDATE -> {
                if (option.equals("resumeAfter")) {
                    throw INVALID_RESUME_TOKEN.because("Attempting to resume a change stream using 'resumeAfter' is not"
                            + " allowed from an invalidate notification; use 'startAfter'.");
                }
                yield new From(token.time(), token.row() + 1);
            }
        };
    }

    /** Whether changes of this collection are shown. */
    boolean concerns(Namespace namespace) {
        if (collection.isPresent()) {
            return namespace.collection().equals(collection.get())
                    && namespace.database().equals(database.orElseThrow());
        }
        boolean ofDatabase = database.isEmpty()
                ? !OWN.contains(namespace.database())
                : namespace.database().equals(database.get());
        return ofDatabase && !namespace.collection().startsWith("system.");
    }

    /** The stage as a document, for messages. */
    static BsonDocument ns(Namespace namespace) {
        return new BsonDocument("db", new org.bson.BsonString(namespace.database()))
                .append("coll", new org.bson.BsonString(namespace.collection()));
    }
}
