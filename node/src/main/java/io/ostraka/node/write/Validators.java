package io.ostraka.node.write;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.DOCUMENT_VALIDATION_FAILURE;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.filter.FilterFailure;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.filter.ValueTest;
import io.ostraka.query.run.RunContext;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the validators of collections about documents to be stored. A collection without one costs a look at its options.
 * Safe for many threads.
 */
public final class Validators {
    private static final Logger LOG = LoggerFactory.getLogger(Validators.class);

    /** Lets everything through. */
    static final Validators NONE = new Validators(false, () -> {
        throw new IllegalStateException("nobody is asked");
    });

    /** @param test compiled; empty where expressions read the time, so that it is compiled for each document */
    private record Compiled(BsonDocument options, Filter filter, Collation collation, Optional<DocumentTest> test) {}

    private final boolean asked;
    private final Supplier<RunContext> contexts;
    private final Map<Integer, Compiled> compiled = new ConcurrentHashMap<>();

    private Validators(boolean asked, Supplier<RunContext> contexts) {
        this.asked = asked;
        this.contexts = contexts;
    }

    /** @param contexts what a validator may know of the moment */
    public static Validators in(Supplier<RunContext> contexts) {
        return new Validators(true, contexts);
    }

    /**
     * Asks about a new document.
     *
     * @throws CommandException 121 DocumentValidationFailure, with what is wrong in {@code errInfo}
     */
    void check(CollectionEntry collection, RawDocument document) {
        checkTime(collection, document);
        if (isAsked(collection)) {
            Compiled validator = compiled(collection);
            if (!matches(validator, document)) {
                refuse(collection, validator, document);
            }
        }
    }

    /**
     * Asks about a document that is changed. At the level {@code moderate} one that was wrong before may stay so.
     *
     * @throws CommandException 121 DocumentValidationFailure, with what is wrong in {@code errInfo}
     */
    void check(CollectionEntry collection, RawDocument before, RawDocument after) {
        checkTime(collection, after);
        if (isAsked(collection)) {
            Compiled validator = compiled(collection);
            boolean excused = is(collection, "validationLevel", "moderate") && !matches(validator, before);
            if (!excused && !matches(validator, after)) {
                refuse(collection, validator, after);
            }
        }
    }

    /** A measurement has a time, whoever bypasses validators. */
    private static void checkTime(CollectionEntry collection, RawDocument document) {
        if (!collection.isTimeSeries()) {
            return;
        }
        String field = collection
                .options()
                .getDocument("timeseries")
                .getString("timeField")
                .getValue();
        RawCursor time = document.find(field);
        if (time == null || time.type() != BsonType.DATE_TIME) {
            throw BAD_VALUE.because("'%s' must be present and contain a valid BSON UTC datetime value", field);
        }
    }

    private boolean isAsked(CollectionEntry collection) {
        return asked && collection.options().containsKey("validator") && !is(collection, "validationLevel", "off");
    }

    private static boolean is(CollectionEntry collection, String option, String value) {
        return collection.options().get(option) instanceof BsonString text
                && text.getValue().equals(value);
    }

    private boolean matches(Compiled validator, RawDocument document) {
        return validator
                .test()
                .orElseGet(() -> FilterCompiler.compile(
                        validator.filter(), contexts.get().with(validator.collation())))
                .test(document);
    }

    private Compiled compiled(CollectionEntry collection) {
        Compiled known = compiled.get(collection.ident());
        if (known != null && isSame(known.options(), collection.options())) {
            return known;
        }
        Filter filter = FilterParser.parse(collection.options().getDocument("validator"));
        Optional<DocumentTest> test = hasExpressions(filter)
                ? Optional.empty()
                : Optional.of(FilterCompiler.compile(filter, contexts.get().with(collection.collation())));
        Compiled fresh = new Compiled(collection.options(), filter, collection.collation(), test);
        compiled.put(collection.ident(), fresh);
        return fresh;
    }

    @SuppressWarnings("ReferenceEquality") // options never change: others are another object
    private static boolean isSame(BsonDocument one, BsonDocument other) {
        return one == other;
    }

    private static boolean hasExpressions(Filter filter) {
        return switch (filter) {
            case Filter.And(var all) -> all.stream().anyMatch(Validators::hasExpressions);
            case Filter.Or(var any) -> any.stream().anyMatch(Validators::hasExpressions);
            case Filter.Nor(var none) -> none.stream().anyMatch(Validators::hasExpressions);
            case Filter.Field(var unused, ValueTest.ElementMatches _) -> true; // may hold one; rare
            case Filter.Expr _ -> true;
            case Filter.Field _, Filter.Schema _, Filter.Text _, Filter.Always _ -> false;
        };
    }

    private void refuse(CollectionEntry collection, Compiled validator, RawDocument document) {
        BsonValue id = document.get("_id");
        BsonDocument info = new BsonDocument("failingDocumentId", id == null ? BsonNull.VALUE : id)
                .append(
                        "details",
                        FilterFailure.of(
                                validator.filter(), document, contexts.get().with(validator.collation())));
        if (is(collection, "validationAction", "warn")) {
            LOG.warn("a document of {} fails validation and is stored: {}", collection.namespace(), info.toJson());
            return;
        }
        throw DOCUMENT_VALIDATION_FAILURE.because("Document failed validation").with(new BsonDocument("errInfo", info));
    }
}
