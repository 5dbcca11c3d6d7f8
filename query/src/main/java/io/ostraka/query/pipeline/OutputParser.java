package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.IDL_FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.IDL_UNKNOWN_FIELD;
import static io.ostraka.core.error.ErrorCode.MERGE_INVALID;
import static io.ostraka.core.error.ErrorCode.MERGE_LET_WITHOUT_PIPELINE;
import static io.ostraka.core.error.ErrorCode.MERGE_MODES_UNSUPPORTED;
import static io.ostraka.core.error.ErrorCode.MERGE_ON_EMPTY;
import static io.ostraka.core.error.ErrorCode.MERGE_ON_INVALID;
import static io.ostraka.core.error.ErrorCode.MERGE_ON_TWICE;
import static io.ostraka.core.error.ErrorCode.NOT_IMPLEMENTED;
import static io.ostraka.core.error.ErrorCode.OUT_INVALID;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.Expression;
import io.ostraka.query.expression.ExpressionParser;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.pipeline.Stage.Merge.Matched;
import io.ostraka.query.pipeline.Stage.Merge.NotMatched;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Reads the stages that write: {@code $out} and {@code $merge}. */
final class OutputParser {
    private static final Set<String> MERGE_FIELDS = Set.of("into", "on", "let", "whenMatched", "whenNotMatched");

    private OutputParser() {}

    /** Where documents go. */
    private record Target(Optional<String> database, String collection) {
        static Target of(String stage, BsonValue value) {
            if (value.isString() && !value.asString().getValue().isEmpty()) {
                return new Target(Optional.empty(), value.asString().getValue());
            }
            BsonDocument names = value.isDocument() ? value.asDocument() : new BsonDocument();
            if (names.containsKey("timeseries")) {
                throw NOT_IMPLEMENTED.because("%s cannot write time series in this version", stage);
            }
            for (String name : names.keySet()) {
                if (!name.equals("db") && !name.equals("coll")) {
                    throw IDL_UNKNOWN_FIELD.because("BSON field '%s.%s' is an unknown field.", stage, name);
                }
            }
            BsonValue collection = names.get("coll");
            BsonValue database = names.get("db");
            boolean named = collection != null
                    && collection.isString()
                    && !collection.asString().getValue().isEmpty()
                    && (database == null || database.isString());
            if (!named) {
                throw OUT_INVALID.because(
                        "%s needs the name of a collection, or {db: name, coll: name}, not %s",
                        stage, Values.show(value));
            }
            return new Target(
                    Optional.ofNullable(database).map(text -> text.asString().getValue()),
                    collection.asString().getValue());
        }
    }

    static Stage out(BsonValue argument) {
        Target target = Target.of("$out", argument);
        return new Stage.Out(target.database(), target.collection(), argument);
    }

    static Stage merge(BsonValue argument, Variables outer) {
        if (!argument.isString() && !argument.isDocument()) {
            throw MERGE_INVALID.because(
                    "$merge only supports a string or object argument, not %s", Values.typeName(argument));
        }
        BsonDocument options = argument.isString() ? new BsonDocument("into", argument) : argument.asDocument();
        for (String name : options.keySet()) {
            if (!MERGE_FIELDS.contains(name)) {
                throw IDL_UNKNOWN_FIELD.because("BSON field '$merge.%s' is an unknown field.", name);
            }
        }
        if (!options.containsKey("into")) {
            throw IDL_FAILED_TO_PARSE.because("BSON field '$merge.into' is missing but a required field");
        }
        Target target = Target.of("$merge", options.get("into"));
        BsonValue whenMatched = options.get("whenMatched", new BsonString("merge"));
        Matched matched = matched(whenMatched);
        NotMatched notMatched = notMatched(options.get("whenNotMatched", new BsonString("insert")));
        checkModes(matched, notMatched);
        if (options.containsKey("let") && matched != Matched.PIPELINE) {
            throw MERGE_LET_WITHOUT_PIPELINE.because(
                    "Cannot use 'let' variables with 'whenMatched: %s' mode", Values.show(whenMatched));
        }
        Map<String, Expression> let = let(options.get("let", new BsonDocument()), outer);
        if (matched == Matched.PIPELINE) {
            check(whenMatched.asArray(), let, outer);
        }
        return new Stage.Merge(
                target.database(),
                target.collection(),
                on(options.get("on")),
                let,
                matched,
                notMatched,
                matched == Matched.PIPELINE ? whenMatched.asArray() : new BsonArray(),
                outer,
                options);
    }

    private static Matched matched(BsonValue mode) {
        if (mode.isArray()) {
            return Matched.PIPELINE;
        }
        for (Matched each : Matched.values()) {
            if (each != Matched.PIPELINE
                    && mode.isString()
                    && each.word().equals(mode.asString().getValue())) {
                return each;
            }
        }
        throw BAD_VALUE.because(
                "Enumeration value '%s' for field '$merge.whenMatched' is not a valid value.", Values.show(mode));
    }

    private static NotMatched notMatched(BsonValue mode) {
        for (NotMatched each : NotMatched.values()) {
            if (mode.isString()
                    && each.name()
                            .toLowerCase(Locale.ROOT)
                            .equals(mode.asString().getValue())) {
                return each;
            }
        }
        throw BAD_VALUE.because(
                "Enumeration value '%s' for field '$merge.whenNotMatched' is not a valid value.", Values.show(mode));
    }

    private static void checkModes(Matched matched, NotMatched notMatched) {
        boolean insertsOnly = matched == Matched.KEEP_EXISTING || matched == Matched.FAIL;
        if (insertsOnly && notMatched != NotMatched.INSERT) {
            throw MERGE_MODES_UNSUPPORTED.because(
                    "Combination of {whenMatched: %s} and {whenNotMatched: %s} is not supported",
                    matched.word(), notMatched.name().toLowerCase(Locale.ROOT));
        }
    }

    private static Map<String, Expression> let(BsonValue let, Variables outer) {
        if (!let.isDocument()) {
            throw FAILED_TO_PARSE.because("'let' of $merge must be an object, not %s", Values.typeName(let));
        }
        Map<String, Expression> read = new LinkedHashMap<>();
        let.asDocument().forEach((name, value) -> {
            Variables.checkName(name);
            if (name.equals("new") && !value.equals(new BsonString("$$ROOT"))) {
                throw MERGE_LET_WITHOUT_PIPELINE.because(
                        "'let' may not define a value for the reserved 'new' variable");
            }
            read.put(name, outer.expression(value));
        });
        return read;
    }

    /** Reads the update once, so that what is wrong with it is told before anything is written. */
    private static void check(BsonArray pipeline, Map<String, Expression> let, Variables outer) {
        Map<String, BsonValue> any = new HashMap<>();
        any.put("new", new BsonDocument());
        let.keySet().forEach(name -> any.put(name, new BsonInt32(1)));
        RawDocument stages =
                new RawBuilder().put("", (BsonValue) pipeline).build().find("").document();
        List<Stage> unused = Pipeline.parseUpdate(stages, outer.with(any));
    }

    private static List<FieldPath> on(BsonValue on) {
        if (on == null) {
            return List.of();
        }
        List<BsonValue> names = on.isArray() ? on.asArray().getValues() : List.of(on);
        if (names.isEmpty()) {
            throw MERGE_ON_EMPTY.because("If explicitly specifying $merge 'on', must include at least one field");
        }
        List<FieldPath> paths = new ArrayList<>();
        for (BsonValue name : names) {
            if (!name.isString()) {
                throw MERGE_ON_INVALID.because(
                        "$merge 'on' must be a string or an array of strings, but found %s", Values.typeName(name));
            }
            FieldPath path = ExpressionParser.path(name.asString().getValue());
            if (paths.contains(path)) {
                throw MERGE_ON_TWICE.because("Found a duplicate field '%s' in $merge 'on'", path);
            }
            paths.add(path);
        }
        return paths;
    }
}
