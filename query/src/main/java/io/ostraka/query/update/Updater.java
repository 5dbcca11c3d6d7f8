package io.ostraka.query.update;

import static io.ostraka.core.error.ErrorCode.BSON_OBJECT_TOO_LARGE;
import static io.ostraka.core.error.ErrorCode.IMMUTABLE_FIELD;
import static io.ostraka.core.error.ErrorCode.INVALID_ID_FIELD;
import static io.ostraka.core.error.ErrorCode.NOT_SINGLE_VALUE_FIELD;

import io.ostraka.core.bson.BsonCheck;
import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.bson.ValueOrder;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterBounds;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.query.value.Values;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonValue;

/**
 * An update made ready for the documents one query matches. Keeps no state between documents.
 *
 * <p>The result is checked: {@code _id} stays (66), nothing is larger than 16 MiB (10334) or nested too deeply (15).
 */
public final class Updater {
    /** Bytes of a stored document. */
    public static final int DOCUMENT_BYTES_MAX = 16 << 20;

    private final Update update;
    private final Filter query;
    private final UpdateContext context;
    private final Map<String, DocumentTest> arrayFilters = new HashMap<>();

    private Updater(Update update, Filter query, UpdateContext context) {
        this.update = update;
        this.query = query;
        this.context = context;
        if (update instanceof Update.Operators operators) {
            operators
                    .arrayFilters()
                    .forEach((name, filter) -> arrayFilters.put(name, FilterCompiler.compile(filter, context.run())));
        }
    }

    /** @param query what the documents match: positions and an upsert's first fields come from it */
    public static Updater of(Update update, Filter query, UpdateContext context) {
        return new Updater(update, query, context);
    }

    /** The document after the update, or nothing if it stays as it is, byte by byte. */
    public Optional<RawDocument> apply(RawDocument document) {
        RawDocument after = switch (update) {
            case Update.Replacement(var replacement) -> replace(document, replacement);
            case Update.Operators operators -> change(document, operators, false);
            case Update.Stages(var stages) ->
                withId(Pipeline.applyToOne(stages, document, context.run()), document.get("_id"));
        };
        if (after.equals(document)) {
            return Optional.empty();
        }
        refuseOtherId(document, after);
        return Optional.of(checked(after));
    }

    /** The document an upsert inserts. */
    public RawDocument upsert() {
        BsonDocument base = new BsonDocument();
        FilterBounds.equalities(query).forEach((path, value) -> {
            if (!update.isReplacement() || path.text().equals("_id")) {
                putEquality(base, path, value);
            }
        });
        RawDocument start = RawDocument.of(base);
        RawDocument after = switch (update) {
            case Update.Replacement(var replacement) ->
                replacement.find("_id") == null && base.containsKey("_id")
                        ? withId(replacement, base.get("_id"))
                        : replacement;
            case Update.Operators operators -> change(start, operators, true);
            case Update.Stages(var stages) -> Pipeline.applyToOne(stages, start, context.run());
        };
        if (base.containsKey("_id")) {
            refuseOtherId(start, after);
        }
        if (after.find("_id") == null) {
            after = withId(after, new BsonObjectId(context.ids().get()));
        }
        return checked(idFirst(after));
    }

    private static void putEquality(BsonDocument base, FieldPath path, BsonValue value) {
        Place place = new Place(base, path);
        if (!Values.isMissing(place.get())) {
            throw NOT_SINGLE_VALUE_FIELD.because("cannot infer query fields to set, path '%s' is matched twice", path);
        }
        place.set(value.isDocument() || value.isArray() ? RawCursor.of(value).value() : value);
    }

    private static RawDocument replace(RawDocument document, RawDocument replacement) {
        RawCursor old = document.find("_id");
        RawCursor given = replacement.find("_id");
        if (old == null) {
            return replacement;
        }
        if (given != null && ValueOrder.compare(given, old) == 0) {
            return idFirst(replacement);
        }
        if (given != null) {
            throw IMMUTABLE_FIELD.because(
                    "After applying the update, the (immutable) field '_id' was found to have been altered to _id: %s",
                    Values.show(given.value()));
        }
        return new RawBuilder(replacement.size() + old.elementSize())
                .element(old)
                .elements(replacement)
                .build();
    }

    private static RawDocument withId(RawDocument document, BsonValue id) {
        return id == null || document.find("_id") != null
                ? document
                : new RawBuilder(document.size() + 32)
                        .put("_id", id)
                        .elements(document)
                        .build();
    }

    private static RawDocument idFirst(RawDocument document) {
        if ("_id".equals(document.firstName())) {
            return document;
        }
        RawCursor id = document.find("_id");
        if (id == null) {
            return document;
        }
        RawBuilder builder = new RawBuilder(document.size()).element(id);
        RawCursor element = document.cursor();
        while (element.next()) {
            if (!element.nameEquals("_id")) {
                builder.element(element);
            }
        }
        return builder.build();
    }

    private RawDocument change(RawDocument document, Update.Operators operators, boolean insert) {
        Set<String> touched = touched(operators);
        BsonDocument changing = decoded(document, touched);
        UpdatePath paths = new UpdatePath(query, arrayFilters, context.run());
        Modifying modifying = new Modifying(context.run(), insert);
        for (Update.Change change : operators.changes()) {
            for (FieldPath path : paths.resolve(change.path(), document, changing)) {
                modifying.apply(change.modifier(), new Place(changing, path), changing);
            }
        }
        return merged(document, touched, changing);
    }

    /** The fields of the document that modifiers may look at; all others stay as the bytes they are. */
    private static Set<String> touched(Update.Operators operators) {
        Set<String> names = new HashSet<>();
        names.add("_id"); // errors name it
        for (Update.Change change : operators.changes()) {
            names.add(change.path().first());
            if (change.modifier() instanceof Modifier.Rename(var to)) {
                names.add(FieldPath.of(to).first());
            }
        }
        return names;
    }

    private static BsonDocument decoded(RawDocument document, Set<String> names) {
        BsonDocument some = new BsonDocument();
        RawCursor element = document.cursor();
        while (element.next()) {
            String name = element.name();
            if (names.contains(name)) {
                some.put(name, element.value());
            }
        }
        return some;
    }

    /** The document with the changed fields in their places and the new ones at the end. */
    private static RawDocument merged(RawDocument document, Set<String> touched, BsonDocument changed) {
        RawBuilder builder = new RawBuilder(document.size() + 64);
        RawCursor element = document.cursor();
        while (element.next()) {
            String name = element.name();
            if (!touched.contains(name)) {
                builder.element(element);
                continue;
            }
            BsonValue value = changed.remove(name);
            if (value != null) {
                builder.put(name, value);
            }
        }
        changed.forEach(builder::put);
        return builder.build();
    }

    private static void refuseOtherId(RawDocument before, RawDocument after) {
        RawCursor old = before.find("_id");
        RawCursor now = after.find("_id");
        if (old != null && (now == null || ValueOrder.compare(old, now) != 0)) {
            throw IMMUTABLE_FIELD.because(
                    "Performing an update on the path '_id' would modify the immutable field '_id'");
        }
    }

    private static RawDocument checked(RawDocument document) {
        if (document.size() > DOCUMENT_BYTES_MAX) {
            throw BSON_OBJECT_TOO_LARGE.because(
                    "Resulting document after update is larger than %d bytes: %d", DOCUMENT_BYTES_MAX, document.size());
        }
        RawCursor id = document.find("_id");
        if (id != null && (id.isArray() || id.typeByte() == 0x0B || id.typeByte() == 0x06)) {
            throw INVALID_ID_FIELD.because("The '_id' value cannot be of type %s", Values.typeName(id.type()));
        }
        BsonCheck.depth(document, BsonCheck.MAX_DEPTH);
        return document;
    }
}
