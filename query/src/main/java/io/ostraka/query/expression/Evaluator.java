package io.ostraka.query.expression;

import static io.ostraka.core.error.ErrorCode.FILTER_LIMIT_INVALID;
import static io.ostraka.core.error.ErrorCode.NEEDS_ARRAY_FILTER;
import static io.ostraka.core.error.ErrorCode.NEEDS_ARRAY_MAP;
import static io.ostraka.core.error.ErrorCode.NEEDS_ARRAY_REDUCE;
import static io.ostraka.core.error.ErrorCode.SWITCH_NO_BRANCH;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.value.Values;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** Evaluates expressions on a scope. What has no value is {@link Values#MISSING}. */
public final class Evaluator {
    private Evaluator() {}

    public static BsonValue evaluate(Expression expression, Scope scope) {
        return switch (expression) {
            case Expression.Literal(var value) -> value;
            case Expression.Meta(var metadata) -> {
                BsonValue told = scope.top().get(metadata.field());
                yield told == null ? Values.MISSING : told;
            }
            case Expression.Field(var path) -> field(scope.root(), path, 0);
            case Expression.Variable variable -> variable(variable, scope);
            case Expression.ObjectOf object -> object(object, scope);
            case Expression.ArrayOf array -> array(array, scope);
            case Expression.Call call -> call(call, scope);
            case Expression.All(var parts) ->
                Values.of(parts.stream().allMatch(part -> Values.isTrue(evaluate(part, scope))));
            case Expression.Any(var parts) ->
                Values.of(parts.stream().anyMatch(part -> Values.isTrue(evaluate(part, scope))));
            case Expression.FirstPresent present -> firstPresent(present, scope);
            case Expression.Conditional(var test, var then, var otherwise) ->
                evaluate(Values.isTrue(evaluate(test, scope)) ? then : otherwise, scope);
            case Expression.Switch branches -> branch(branches, scope);
            case Expression.Let(var variables, var in) -> {
                Scope inner = scope;
                for (Expression.Entry variable : variables) {
                    inner = inner.with(variable.name(), evaluate(variable.value(), scope));
                }
                yield evaluate(in, inner);
            }
            case Expression.MapEach each -> map(each, scope);
            case Expression.FilterEach each -> filter(each, scope);
            case Expression.Reduce reduce -> reduce(reduce, scope);
        };
    }

    /** Evaluates on a document without variables. */
    public static boolean isTrue(Expression expression, Scope scope) {
        return Values.isTrue(evaluate(expression, scope));
    }

    /** The value at a path, read from raw bytes. Arrays on the way give an array of what their documents have. */
    static BsonValue field(RawDocument document, FieldPath path, int part) {
        RawCursor found = document.find(path.part(part));
        if (found == null) {
            return Values.MISSING;
        }
        if (part == path.length() - 1) {
            return found.value();
        }
        if (found.isDocument()) {
            return field(found.document(), path, part + 1);
        }
        return found.isArray() ? fieldOfAll(found.document(), path, part + 1) : Values.MISSING;
    }

    private static BsonArray fieldOfAll(RawDocument array, FieldPath path, int part) {
        BsonArray all = new BsonArray();
        RawCursor element = array.cursor();
        while (element.next()) {
            BsonValue value = Values.MISSING;
            if (element.isDocument()) {
                value = field(element.document(), path, part);
            } else if (element.isArray()) {
                value = fieldOfAll(element.document(), path, part);
            }
            if (!Values.isMissing(value)) {
                all.add(value);
            }
        }
        return all;
    }

    /** The same on a decoded value. */
    static BsonValue field(BsonValue value, FieldPath path, int part) {
        if (part == path.length()) {
            return value;
        }
        if (value.isDocument()) {
            BsonValue next = value.asDocument().get(path.part(part));
            return next == null ? Values.MISSING : field(next, path, part + 1);
        }
        if (!value.isArray()) {
            return Values.MISSING;
        }
        BsonArray all = new BsonArray();
        for (BsonValue element : value.asArray()) {
            BsonValue found = element.isDocument() || element.isArray() ? field(element, path, part) : Values.MISSING;
            if (!Values.isMissing(found)) {
                all.add(found);
            }
        }
        return all;
    }

    private static BsonValue variable(Expression.Variable variable, Scope scope) {
        if (variable.path().isEmpty()) {
            return scope.variable(variable.name());
        }
        FieldPath path = variable.path().get();
        return switch (variable.name()) {
            case "CURRENT" -> field(scope.root(), path, 0);
            case "ROOT" -> field(scope.top(), path, 0);
            default -> field(scope.variable(variable.name()), path, 0);
        };
    }

    private static BsonValue object(Expression.ObjectOf object, Scope scope) {
        BsonDocument document = new BsonDocument();
        for (Expression.Entry field : object.fields()) {
            BsonValue value = evaluate(field.value(), scope);
            if (!Values.isMissing(value)) {
                document.put(field.name(), value);
            }
        }
        return document;
    }

    private static BsonValue array(Expression.ArrayOf array, Scope scope) {
        BsonArray values = new BsonArray();
        for (Expression item : array.items()) {
            BsonValue value = evaluate(item, scope);
            values.add(Values.isMissing(value) ? BsonNull.VALUE : value);
        }
        return values;
    }

    private static BsonValue call(Expression.Call call, Scope scope) {
        BsonValue[] arguments = new BsonValue[call.arguments().size()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = evaluate(call.arguments().get(i), scope);
        }
        return call.function().body().apply(arguments, scope.context());
    }

    private static BsonValue firstPresent(Expression.FirstPresent present, Scope scope) {
        BsonValue value = BsonNull.VALUE;
        for (Expression part : present.parts()) {
            value = evaluate(part, scope);
            if (!Values.isNullish(value)) {
                return value;
            }
        }
        return value;
    }

    private static BsonValue branch(Expression.Switch branches, Scope scope) {
        for (Expression.Branch branch : branches.branches()) {
            if (Values.isTrue(evaluate(branch.test(), scope))) {
                return evaluate(branch.then(), scope);
            }
        }
        return evaluate(
                branches.otherwise()
                        .orElseThrow(() -> SWITCH_NO_BRANCH.because(
                                "$switch could not find a matching branch for an input, and no default was"
                                        + " specified.")),
                scope);
    }

    private static BsonValue map(Expression.MapEach each, Scope scope) {
        BsonValue input = evaluate(each.input(), scope);
        if (Values.isNullish(input)) {
            return BsonNull.VALUE;
        }
        if (!input.isArray()) {
            throw NEEDS_ARRAY_MAP.because("input to $map must be an array not %s", Values.typeName(input));
        }
        BsonArray mapped = new BsonArray();
        for (BsonValue element : input.asArray()) {
            BsonValue value = evaluate(each.in(), scope.with(each.as(), element));
            mapped.add(Values.isMissing(value) ? BsonNull.VALUE : value);
        }
        return mapped;
    }

    private static BsonValue filter(Expression.FilterEach each, Scope scope) {
        BsonValue input = evaluate(each.input(), scope);
        if (Values.isNullish(input)) {
            return BsonNull.VALUE;
        }
        if (!input.isArray()) {
            throw NEEDS_ARRAY_FILTER.because("input to $filter must be an array not %s", Values.typeName(input));
        }
        long limit = Long.MAX_VALUE;
        if (each.limit().isPresent()) {
            BsonValue value = evaluate(each.limit().get(), scope);
            if (!Values.isNullish(value)) {
                if (!Values.isWhole(value) || Values.toLong(value) <= 0) {
                    throw FILTER_LIMIT_INVALID.because(
                            "$filter: limit must be greater than 0, found %s", Values.show(value));
                }
                limit = Values.toLong(value);
            }
        }
        BsonArray kept = new BsonArray();
        for (BsonValue element : input.asArray()) {
            if (kept.size() >= limit) {
                break;
            }
            if (Values.isTrue(evaluate(each.test(), scope.with(each.as(), element)))) {
                kept.add(element);
            }
        }
        return kept;
    }

    private static BsonValue reduce(Expression.Reduce reduce, Scope scope) {
        BsonValue input = evaluate(reduce.input(), scope);
        if (Values.isNullish(input)) {
            return BsonNull.VALUE;
        }
        if (!input.isArray()) {
            throw NEEDS_ARRAY_REDUCE.because(
                    "$reduce requires that 'input' be an array, found: %s", Values.show(input));
        }
        BsonValue value = evaluate(reduce.initial(), scope);
        for (BsonValue element : input.asArray()) {
            value = evaluate(reduce.in(), scope.with("this", element).with("value", value));
        }
        return value;
    }
}
