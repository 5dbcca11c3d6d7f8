package io.ostraka.wire.command;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.IDL_DUPLICATE_FIELD;
import static io.ostraka.core.error.ErrorCode.IDL_FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.IDL_UNKNOWN_FIELD;
import static io.ostraka.core.error.ErrorCode.INVALID_NAMESPACE;
import static io.ostraka.core.error.ErrorCode.NEGATIVE_VALUE;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.bson.BsonType;
import org.bson.BsonValue;

/**
 * The fields of a command's body, taken one by one with their types checked. Remembers what was asked for, so that
 * the rest can be refused. One thread.
 */
public final class Fields {
    /** Fields every command may carry; the dispatcher reads them. */
    private static final Set<String> GENERIC = Set.of(
            "$db",
            "lsid",
            "txnNumber",
            "autocommit",
            "startTransaction",
            "$clusterTime",
            "$readPreference",
            "readConcern",
            "writeConcern",
            "maxTimeMS",
            "comment",
            "apiVersion",
            "apiStrict",
            "apiDeprecationErrors",
            "$audit",
            "$client",
            "$configTime",
            "$topologyTime",
            "clientOperationKey",
            "help",
            "rawData",
            "databaseVersion",
            "shardVersion",
            "stmtId",
            "stmtIds",
            "recoveryToken",
            "$ostraka");

    private final String command;
    private final String database;
    private final RawDocument body;
    private final Map<String, List<RawDocument>> sequences;
    /** Fields of one body: far more than any command knows. */
    private static final int MAX = 1_000;

    /** Fields up to which duplicates are looked for by comparing each with each. */
    private static final int FEW = 16;

    // The body's fields in order, read once: commands ask for some dozens that mostly are not there.
    private final List<String> names = new ArrayList<>();
    private final List<RawCursor> elements = new ArrayList<>();
    private final BitSet taken = new BitSet();
    private final Set<String> takenSequences = new HashSet<>(0);
    private boolean lenient;

    public Fields(String command, String database, RawDocument body, Map<String, List<RawDocument>> sequences) {
        this(command, database, body, sequences, true);
    }

    private Fields(
            String command,
            String database,
            RawDocument body,
            Map<String, List<RawDocument>> sequences,
            boolean hasOwn) {
        this.command = command;
        this.database = database;
        this.body = body;
        this.sequences = sequences;
        RawCursor cursor = body.cursor();
        while (cursor.next()) {
            if (names.size() == MAX) {
                throw IDL_UNKNOWN_FIELD.because(
                        "BSON field '%s.%s' is an unknown field: no command has more than %d",
                        command, cursor.name(), MAX);
            }
            names.add(cursor.name());
            elements.add(cursor.copy());
        }
        taken.set(0, hasOwn);
    }

    /**
     * The fields of a document within this one, such as one statement of {@code updates}. It has no field of its own,
     * and {@link #refuseUnknown} is the caller's to call.
     *
     * @param path where it stands, for messages
     */
    public Fields nested(String path, RawDocument document) {
        return new Fields(command + "." + path, database, document, Map.of(), false);
    }

    /**
     * The collection the command's own field names, as a checked name.
     *
     * @throws io.ostraka.core.error.CommandException 73 InvalidNamespace, or 14 TypeMismatch where it is no string
     */
    public String collection() {
        if (!own().isString()) {
            throw INVALID_NAMESPACE.because("collection name has invalid type %s", TypeNames.of(own().getBsonType()));
        }
        return checkedCollection(own().asString().getValue());
    }

    /** A collection's name from anywhere, checked against this command's database. */
    public String checkedCollection(String name) {
        boolean bad = name.isEmpty()
                || name.startsWith(".")
                || name.endsWith(".")
                || name.indexOf('\0') >= 0
                || name.indexOf('$') >= 0 && !name.startsWith("$cmd") && !name.equals("oplog.$main");
        if (bad) {
            throw INVALID_NAMESPACE.because("Invalid namespace specified '%s.%s'", database, name);
        }
        int length = (database + "." + name).getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
        if (length > 255) {
            throw INVALID_NAMESPACE.because(
                    "Fully qualified namespace is too long. Namespace: %s.%s Max: 255", database, name);
        }
        return name;
    }

    /** Whether a field is one that every command may carry. */
    public static boolean isGeneric(String name) {
        return GENERIC.contains(name);
    }

    /** The database the command was sent to. */
    public String database() {
        return database;
    }

    public RawDocument body() {
        return body;
    }

    /** The value of the command's own field, whatever it is: {@code 1} in {@code {ping: 1}}. */
    public BsonValue own() {
        RawCursor cursor = body.cursor();
        cursor.next();
        return cursor.value();
    }

    /** The command's own field as a string, usually a collection's name. */
    public String ownString() {
        if (own().isString()) {
            return own().asString().getValue();
        }
        throw wrongType(command, own().getBsonType(), "string");
    }

    /** The value of the command's own field, which must be a document, undecoded. */
    public RawDocument requiredOwnDocument() {
        RawCursor cursor = body.cursor();
        cursor.next();
        if (!cursor.isDocument()) {
            throw wrongType(command, cursor.type(), "object");
        }
        return cursor.document();
    }

    /** From now on, fields nobody asked for are no error. */
    public Fields ignoreUnknown() {
        lenient = true;
        return this;
    }

    /** The undecoded element, or null where the field is absent or null. */
    public RawCursor raw(String name) {
        int at = take(name);
        if (at < 0) {
            return null;
        }
        RawCursor cursor = elements.get(at);
        return cursor.type() == BsonType.NULL || cursor.type() == BsonType.UNDEFINED ? null : cursor.copy();
    }

    /** Asks for a field. @return its place, or -1 */
    private int take(String name) {
        if (!sequences.isEmpty()) {
            takenSequences.add(name);
        }
        int at = names.indexOf(name);
        if (at >= 0) {
            taken.set(at);
        }
        return at;
    }

    public boolean has(String name) {
        return raw(name) != null;
    }

    public Optional<BsonValue> value(String name) {
        return Optional.ofNullable(raw(name)).map(RawCursor::value);
    }

    public BsonValue requiredValue(String name) {
        return value(name).orElseThrow(() -> missing(name));
    }

    public Optional<String> string(String name) {
        RawCursor cursor = typed(name, BsonType.STRING, "string");
        return cursor == null ? Optional.empty() : Optional.of(cursor.string());
    }

    public String requiredString(String name) {
        return string(name).orElseThrow(() -> missing(name));
    }

    /** A document as it was sent, undecoded. */
    public Optional<RawDocument> document(String name) {
        RawCursor cursor = typed(name, BsonType.DOCUMENT, "object");
        return cursor == null ? Optional.empty() : Optional.of(cursor.document());
    }

    public RawDocument requiredDocument(String name) {
        return document(name).orElseThrow(() -> missing(name));
    }

    /** Booleans, and numbers as MongoDB takes them: zero is false. */
    public boolean bool(String name, boolean otherwise) {
        RawCursor cursor = raw(name);
        if (cursor == null) {
            return otherwise;
        }
        BsonValue value = cursor.value();
        if (value.isBoolean()) {
            return value.asBoolean().getValue();
        }
        if (value.isNumber()) {
            return value.asNumber().doubleValue() != 0;
        }
        throw wrongType(name, value.getBsonType(), "bool");
    }

    /** Any number that is a whole one. */
    public OptionalLong wholeNumber(String name) {
        RawCursor cursor = raw(name);
        if (cursor == null) {
            return OptionalLong.empty();
        }
        BsonValue value = cursor.value();
        if (!cursor.isNumber()) {
            throw wrongType(name, value.getBsonType(), "int");
        }
        if (value.isDecimal128()) {
            value = new org.bson.BsonDouble(value.asDecimal128().doubleValue());
        }
        if (value.isDouble()
                && value.asDouble().getValue() != Math.rint(value.asDouble().getValue())) {
            throw BAD_VALUE.because(
                    "Field '%s' must be a whole number, not %s",
                    name, value.asDouble().getValue());
        }
        return OptionalLong.of(value.asNumber().longValue());
    }

    public long wholeNumber(String name, long otherwise) {
        return wholeNumber(name).orElse(otherwise);
    }

    /** A whole number of at least zero that fits an int; 51024 where it is negative. */
    public OptionalInt count(String name) {
        OptionalLong value = countLong(name);
        return value.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of((int) Math.min(Integer.MAX_VALUE, value.getAsLong()));
    }

    /** A whole number of at least zero; 51024 where it is negative. */
    public OptionalLong countLong(String name) {
        OptionalLong value = wholeNumber(name);
        if (value.isPresent() && value.getAsLong() < 0) {
            throw NEGATIVE_VALUE.because(
                    "BSON field '%s.%s' value must be >= 0, actual value '%d'", command, name, value.getAsLong());
        }
        return value;
    }

    /** A hint: an index's name or its key pattern. */
    public Optional<BsonValue> hint() {
        Optional<BsonValue> hint = value("hint");
        hint.filter(value -> !value.isString() && !value.isDocument()).ifPresent(value -> {
            throw wrongType("hint", value.getBsonType(), "string or object");
        });
        return hint;
    }

    /** An array, undecoded. */
    public Optional<RawDocument> rawArray(String name) {
        RawCursor array = typed(name, BsonType.ARRAY, "array");
        return array == null ? Optional.empty() : Optional.of(array.document());
    }

    /** An array of documents, from the body or from a document sequence of that name. Empty where absent. */
    public Optional<List<RawDocument>> documents(String name) {
        List<RawDocument> sequence = sequences.get(name);
        if (sequence != null) {
            int unused = take(name);
            return Optional.of(sequence);
        }
        RawCursor array = typed(name, BsonType.ARRAY, "array");
        if (array == null) {
            return Optional.empty();
        }
        List<RawDocument> documents = new ArrayList<>();
        RawCursor element = array.document().cursor();
        while (element.next()) {
            if (!element.isDocument()) {
                throw wrongType(name + "." + element.name(), element.type(), "object");
            }
            documents.add(element.document());
        }
        return Optional.of(documents);
    }

    public List<RawDocument> requiredDocuments(String name) {
        return documents(name).orElseThrow(() -> missing(name));
    }

    /** An array of any values, decoded. Empty where absent. */
    public List<BsonValue> array(String name) {
        RawCursor array = typed(name, BsonType.ARRAY, "array");
        return array == null ? List.of() : array.value().asArray().getValues();
    }

    /**
     * Refuses what nobody asked for (40415) and what was sent twice (40413). The dispatcher calls it for the body,
     * a command for what it {@link #nested}.
     */
    public void refuseUnknown() {
        Set<String> seen = names.size() > FEW ? new HashSet<>() : Set.of();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            boolean again = names.size() > FEW ? !seen.add(name) : names.indexOf(name) < i;
            if (again) {
                throw IDL_DUPLICATE_FIELD.because("BSON field '%s.%s' is a duplicate field", command, name);
            }
            if (!lenient && !taken.get(i) && !GENERIC.contains(name)) {
                throw IDL_UNKNOWN_FIELD.because("BSON field '%s.%s' is an unknown field.", command, name);
            }
        }
        for (String name : sequences.keySet()) {
            if (names.contains(name)) {
                throw IDL_DUPLICATE_FIELD.because("BSON field '%s.%s' is a duplicate field", command, name);
            }
            if (!lenient && !takenSequences.contains(name)) {
                throw IDL_UNKNOWN_FIELD.because("BSON field '%s.%s' is an unknown field.", command, name);
            }
        }
    }

    private RawCursor typed(String name, BsonType type, String typeName) {
        RawCursor cursor = raw(name);
        if (cursor != null && cursor.type() != type) {
            throw wrongType(name, cursor.type(), typeName);
        }
        return cursor;
    }

    private RuntimeException missing(String name) {
        return IDL_FAILED_TO_PARSE.because("BSON field '%s.%s' is missing but a required field", command, name);
    }

    private RuntimeException wrongType(String name, BsonType was, String expected) {
        return TYPE_MISMATCH.because(
                "BSON field '%s.%s' is the wrong type '%s', expected type '%s'",
                command, name, TypeNames.of(was), expected);
    }
}
