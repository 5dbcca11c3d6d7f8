package io.ostraka.wire.request;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.NOT_IMPLEMENTED;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Fields;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * {@code collMod}.
 *
 * @param index the index to be changed
 * @param validator of the collection from now on; an empty one demands nothing
 * @param viewOn of a view, together with {@code pipeline}
 */
public record CollModRequest(
        String database,
        String collection,
        Optional<Index> index,
        Optional<RawDocument> validator,
        Optional<String> validationLevel,
        Optional<String> validationAction,
        Optional<String> viewOn,
        Optional<List<RawDocument>> pipeline) {
    /** Levels of validation. */
    private static final Set<String> LEVELS = Set.of("off", "strict", "moderate");

    private static final Set<String> ACTIONS = Set.of("error", "warn");

    /**
     * An index, by its name or its key pattern, and what becomes of it. At least one of the changes is there.
     *
     * @param hidden whether plans leave it out
     * @param expireAfterSeconds when its documents expire
     */
    public record Index(
            Optional<String> name,
            Optional<RawDocument> keyPattern,
            Optional<Boolean> hidden,
            OptionalLong expireAfterSeconds) {
        private static Index parse(Fields fields) {
            Optional<String> name = fields.string("name");
            Optional<RawDocument> pattern = fields.document("keyPattern");
            if (name.isPresent() == pattern.isPresent()) {
                throw INVALID_OPTIONS.because(
                        name.isPresent()
                                ? "Cannot specify both key pattern and name."
                                : "Must specify either index name or key pattern.");
            }
            for (String later : List.of("unique", "prepareUnique")) {
                if (fields.has(later)) {
                    throw NOT_IMPLEMENTED.because(
                            "collMod cannot change '%s' of an index in this version; make another index", later);
                }
            }
            Index index = new Index(
                    name,
                    pattern,
                    fields.has("hidden") ? Optional.of(fields.bool("hidden", false)) : Optional.empty(),
                    fields.wholeNumber("expireAfterSeconds"));
            fields.refuseUnknown();
            if (index.hidden.isEmpty() && index.expireAfterSeconds.isEmpty()) {
                throw INVALID_OPTIONS.because("no expireAfterSeconds, hidden, unique, or prepareUnique field");
            }
            return index;
        }
    }

    public static CollModRequest parse(Fields fields) {
        for (String later : List.of(
                "cappedSize", "cappedMax", "changeStreamPreAndPostImages", "timeseries", "expireAfterSeconds")) {
            if (fields.has(later)) {
                throw NOT_IMPLEMENTED.because("collMod cannot change '%s' in this version", later);
            }
        }
        fields.raw("dryRun");
        return new CollModRequest(
                fields.database(),
                fields.collection(),
                fields.document("index").map(index -> Index.parse(fields.nested("index", index))),
                fields.document("validator"),
                level(fields),
                action(fields),
                fields.string("viewOn"),
                fields.documents("pipeline"));
    }

    /** {@code validationLevel}, one of those there are. */
    static Optional<String> level(Fields fields) {
        return one(fields, "validationLevel", LEVELS);
    }

    /** {@code validationAction}, one of those there are. */
    static Optional<String> action(Fields fields) {
        return one(fields, "validationAction", ACTIONS);
    }

    private static Optional<String> one(Fields fields, String name, Set<String> known) {
        Optional<String> value = fields.string(name);
        value.filter(text -> !known.contains(text)).ifPresent(text -> {
            throw BAD_VALUE.because("Enumeration value '%s' for field '%s' is not a valid value.", text, name);
        });
        return value;
    }

    public String namespace() {
        return database + "." + collection;
    }
}
