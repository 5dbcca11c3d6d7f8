package io.ostraka.query.expression;

import static io.ostraka.core.error.ErrorCode.COND_MISSING_IF;
import static io.ostraka.core.error.ErrorCode.COND_UNKNOWN_FIELD;
import static io.ostraka.core.error.ErrorCode.EXPRESSION_HAS_SEVERAL_FIELDS;
import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.FIELD_PATH_DOLLAR;
import static io.ostraka.core.error.ErrorCode.FIELD_PATH_EMPTY;
import static io.ostraka.core.error.ErrorCode.FIELD_PATH_EMPTY_COMPONENT;
import static io.ostraka.core.error.ErrorCode.FIELD_PATH_ENDS_WITH_DOT;
import static io.ostraka.core.error.ErrorCode.INVALID_PIPELINE_OPERATOR;
import static io.ostraka.core.error.ErrorCode.UNDEFINED_VARIABLE;
import static io.ostraka.core.error.ErrorCode.WRONG_NUMBER_OF_ARGUMENTS;

import io.ostraka.core.path.FieldPath;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Reads expressions. Refuses unknown operators (168), wrong argument counts (16020) and undefined variables (17276). */
public final class ExpressionParser {
    private static final Set<String> SYSTEM_VARIABLES = Set.of("ROOT", "CURRENT", "NOW", "CLUSTER_TIME", "REMOVE");

    private final Set<String> variables;
    private final Map<String, BsonValue> constants;

    private ExpressionParser(Set<String> variables, Map<String, BsonValue> constants) {
        this.variables = variables;
        this.constants = constants;
    }

    /** Reads an expression without variables of its own around it. */
    public static Expression parse(BsonValue value) {
        return parse(value, Variables.NONE);
    }

    /** Reads an expression that may use these variables, beside those every expression has. */
    public static Expression parse(BsonValue value, Variables variables) {
        return new ExpressionParser(SYSTEM_VARIABLES, variables.values()).read(value);
    }

    /** Every operator there is, sorted. */
    public static List<String> names() {
        Set<String> names = new TreeSet<>(SpecialForms.TABLE.keySet());
        names.addAll(FunctionTable.ALL.keySet());
        return Values.sorted(names);
    }

    ExpressionParser with(Set<String> more) {
        Set<String> all = new HashSet<>(variables);
        all.addAll(more);
        Map<String, BsonValue> left = new HashMap<>(constants);
        left.keySet().removeAll(more);
        return new ExpressionParser(all, left);
    }

    Expression read(BsonValue value) {
        return switch (value.getBsonType()) {
            case STRING -> text(value);
            case DOCUMENT -> document(value.asDocument());
            case ARRAY ->
                fold(new Expression.ArrayOf(
                        value.asArray().stream().map(this::read).toList()));
            default -> new Expression.Literal(value);
        };
    }

    private Expression text(BsonValue value) {
        String text = value.asString().getValue();
        if (text.startsWith("$$")) {
            return variable(text.substring(2));
        }
        return text.startsWith("$") ? new Expression.Field(path(text.substring(1))) : new Expression.Literal(value);
    }

    private Expression variable(String text) {
        int dot = text.indexOf('.');
        String name = dot < 0 ? text : text.substring(0, dot);
        checkName(name, true);
        BsonValue constant = constants.get(name);
        if (constant != null) {
            return new Expression.Literal(
                    dot < 0 ? constant : Evaluator.field(constant, path(text.substring(dot + 1)), 0));
        }
        if (!variables.contains(name)) {
            throw UNDEFINED_VARIABLE.because("Use of undefined variable: %s", name);
        }
        if (dot < 0) {
            return new Expression.Variable(name, Optional.empty());
        }
        FieldPath path = path(text.substring(dot + 1));
        return name.equals("CURRENT") ? new Expression.Field(path) : new Expression.Variable(name, Optional.of(path));
    }

    /** Checks a variable's name; a user may only define those that begin with a small letter. */
    static void checkName(String name, boolean use) {
        if (name.isEmpty()) {
            throw io.ostraka.core.error.ErrorCode.EMPTY_VARIABLE_NAME.because("empty variable names are not allowed");
        }
        char first = name.charAt(0);
        boolean small = first >= 'a' && first <= 'z' || first >= 0x80;
        if (!small && !(use && first >= 'A' && first <= 'Z') && !name.equals("CURRENT")) {
            throw FAILED_TO_PARSE.because("'%s' starts with an invalid character for a user variable name", name);
        }
        for (int i = 1; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!(Character.isLetterOrDigit(c) || c == '_' || c >= 0x80)) {
                throw FAILED_TO_PARSE.because("'%s' contains an invalid character for a variable name: '%s'", name, c);
            }
        }
    }

    /** A field path as expressions allow it: no empty part, none that begins with a dollar. */
    public static FieldPath path(String text) {
        if (text.isEmpty()) {
            throw FIELD_PATH_EMPTY.because("FieldPath cannot be constructed with empty string");
        }
        if (text.endsWith(".")) {
            throw FIELD_PATH_ENDS_WITH_DOT.because("FieldPath must not end with a '.'.");
        }
        FieldPath path = FieldPath.of(text);
        for (int i = 0; i < path.length(); i++) {
            if (path.part(i).isEmpty()) {
                throw FIELD_PATH_EMPTY_COMPONENT.because("FieldPath field names may not be empty strings.");
            }
            if (path.part(i).startsWith("$")) {
                throw FIELD_PATH_DOLLAR.because(
                        "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
            }
        }
        return path;
    }

    private Expression document(BsonDocument document) {
        if (!document.isEmpty() && document.getFirstKey().startsWith("$")) {
            if (document.size() > 1) {
                throw EXPRESSION_HAS_SEVERAL_FIELDS.because(
                        "an object representing an expression must have exactly one field: %s", Values.show(document));
            }
            String name = document.getFirstKey();
            return operator(name, document.get(name));
        }
        List<Expression.Entry> fields = new ArrayList<>();
        for (Map.Entry<String, BsonValue> field : document.entrySet()) {
            if (field.getKey().startsWith("$")) {
                throw INVALID_PIPELINE_OPERATOR.because("Unrecognized expression '%s'", field.getKey());
            }
            if (field.getKey().contains(".")) {
                throw io.ostraka.core.error.ErrorCode.FIELD_PATH_DOT.because(
                        "FieldPath field names may not contain '.'. Consider using $getField or $setField.");
            }
            fields.add(new Expression.Entry(field.getKey(), read(field.getValue())));
        }
        return fold(new Expression.ObjectOf(fields));
    }

    /** Whether a document is one operator: a single field that begins with a dollar. */
    public static boolean isOperator(BsonDocument document) {
        return !document.isEmpty() && document.getFirstKey().startsWith("$");
    }

    private Expression operator(String name, BsonValue argument) {
        SpecialForms.Form form = SpecialForms.TABLE.get(name);
        if (form != null) {
            return form.read(this, argument);
        }
        Function function = FunctionTable.ALL.get(name);
        if (function == null) {
            throw INVALID_PIPELINE_OPERATOR.because(
                    "Unrecognized expression '%s'%s",
                    name,
                    name.equals("$function") ? ": server-side JavaScript is not run here; use other expressions" : "");
        }
        return fold(new Expression.Call(
                function, function.names().isEmpty() ? inOrder(function, argument) : byName(function, argument)));
    }

    private List<Expression> inOrder(Function function, BsonValue argument) {
        List<Expression> arguments =
                argument.isArray() ? argument.asArray().stream().map(this::read).toList() : List.of(read(argument));
        int given = arguments.size();
        if (given >= function.arityMin() && given <= function.arityMax()) {
            return arguments;
        }
        if (function.arityMin() == function.arityMax()) {
            throw WRONG_NUMBER_OF_ARGUMENTS.because(
                    "Expression %s takes exactly %d arguments. %d were passed in.",
                    function.name(), function.arityMin(), given);
        }
        throw WRONG_NUMBER_OF_ARGUMENTS.because(
                "Expression %s takes at least %d arguments, and at most %d, but %d were passed in.",
                function.name(), function.arityMin(), function.arityMax(), given);
    }

    private List<Expression> byName(Function function, BsonValue argument) {
        if (!argument.isDocument()) {
            if (function.names().equals(DateFunctions.PART_ARGUMENTS)) {
                return shortForm(function, argument);
            }
            throw FAILED_TO_PARSE.because(
                    "%s only supports an object as its argument, found %s", function.name(), Values.typeName(argument));
        }
        BsonDocument document = argument.asDocument();
        if (isOperator(document) && function.names().equals(DateFunctions.PART_ARGUMENTS)) {
            return shortForm(function, argument);
        }
        for (String name : document.keySet()) {
            if (!function.names().contains(name)) {
                throw FAILED_TO_PARSE.because("%s found an unknown argument: %s", function.name(), name);
            }
        }
        List<Expression> arguments = new ArrayList<>();
        for (int i = 0; i < function.names().size(); i++) {
            BsonValue value = document.get(function.names().get(i));
            if (value == null && i < function.required()) {
                throw FAILED_TO_PARSE.because(
                        "%s requires '%s' to be specified",
                        function.name(), function.names().get(i));
            }
            arguments.add(value == null ? new Expression.Literal(Values.MISSING) : read(value));
        }
        return arguments;
    }

    /** The parts of dates also take the date alone, or alone in an array. */
    private List<Expression> shortForm(Function function, BsonValue argument) {
        BsonValue date = argument;
        if (argument.isArray()) {
            if (argument.asArray().size() != 1) {
                throw WRONG_NUMBER_OF_ARGUMENTS.because(
                        "%s accepts exactly one argument if given an array, but was given %d",
                        function.name(), argument.asArray().size());
            }
            date = argument.asArray().get(0);
        }
        List<Expression> arguments = new ArrayList<>();
        arguments.add(read(date));
        while (arguments.size() < function.names().size()) {
            arguments.add(new Expression.Literal(Values.MISSING));
        }
        return arguments;
    }

    /** What is made of constants only becomes one, except calls: their errors belong to the run, not to the reading. */
    private static Expression fold(Expression expression) {
        return switch (expression) {
            case Expression.ArrayOf(var items)
            when items.stream().allMatch(item -> item instanceof Expression.Literal) ->
                new Expression.Literal(Evaluator.evaluate(expression, null));
            case Expression.ObjectOf(var fields)
            when fields.stream().allMatch(field -> field.value() instanceof Expression.Literal) ->
                new Expression.Literal(Evaluator.evaluate(expression, null));
            default -> expression;
        };
    }

    /** The fields of a form's document, checked against what it knows. */
    BsonDocument fields(String name, BsonValue argument, Set<String> known, Set<String> required) {
        if (!argument.isDocument()) {
            throw FAILED_TO_PARSE.because("%s only supports an object as its argument", name);
        }
        BsonDocument document = argument.asDocument();
        for (String field : document.keySet()) {
            if (!known.contains(field)) {
                throw (name.equals("$cond") ? COND_UNKNOWN_FIELD : FAILED_TO_PARSE)
                        .because("Unrecognized parameter to %s: %s", name, field);
            }
        }
        for (String field : required) {
            if (!document.containsKey(field)) {
                throw (name.equals("$cond") ? COND_MISSING_IF : FAILED_TO_PARSE)
                        .because("Missing '%s' parameter to %s", field, name);
            }
        }
        return document;
    }
}
