package io.ostraka.query.filter;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.expression.Evaluator;
import io.ostraka.query.expression.Scope;
import io.ostraka.query.filter.PathWalk.CursorTest;
import io.ostraka.query.geo.Geometry;
import io.ostraka.query.geo.StoredGeometry;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.schema.SchemaTest;
import java.util.List;
import java.util.function.Predicate;
import org.bson.BsonValue;

/** Turns a filter into a test that runs on raw bytes. Patterns, paths and operands are prepared here, once. */
public final class FilterCompiler {
    private FilterCompiler() {}

    public static DocumentTest compile(Filter filter, RunContext context) {
        return switch (filter) {
            case Filter.And(var all) -> and(compileAll(all, context));
            case Filter.Or(var any) -> or(compileAll(any, context));
            case Filter.Nor(var none) -> {
                DocumentTest any = or(compileAll(none, context));
                yield document -> !any.test(document);
            }
            case Filter.Field(var path, var test) -> field(path, test, context);
            case Filter.Expr expr -> document -> Evaluator.isTrue(expr.expression(), new Scope(document, context));
            case Filter.Schema(var schema, var unused) -> document -> SchemaTest.meets(schema, document);
            case Filter.Text text ->
                // Until it is known which index answers it nothing is compiled for good: rules say what words are.
                document -> text.query()
                        .match(TextFilters.rules(text))
                        .score(document)
                        .isPresent();
            case Filter.Always(var matches) -> _ -> matches;
        };
    }

    private static DocumentTest[] compileAll(List<Filter> filters, RunContext context) {
        return filters.stream().map(filter -> compile(filter, context)).toArray(DocumentTest[]::new);
    }

    private static DocumentTest and(DocumentTest[] all) {
        if (all.length == 1) {
            return all[0];
        }
        return document -> {
            for (DocumentTest test : all) {
                if (!test.test(document)) {
                    return false;
                }
            }
            return true;
        };
    }

    private static DocumentTest or(DocumentTest[] any) {
        return document -> {
            for (DocumentTest test : any) {
                if (test.test(document)) {
                    return true;
                }
            }
            return false;
        };
    }

    private static DocumentTest field(FieldPath path, ValueTest test, RunContext context) {
        return switch (test) {
            case ValueTest.Not(var all) -> {
                DocumentTest inner =
                        and(all.stream().map(part -> field(path, part, context)).toArray(DocumentTest[]::new));
                yield document -> !inner.test(document);
            }
            case ValueTest.AllOf(var all) when all.isEmpty() -> _ -> false;
            case ValueTest.AllOf(var all) ->
                and(all.stream().map(part -> field(path, part, context)).toArray(DocumentTest[]::new));
            default -> {
                CursorTest compiled = value(test, context);
                yield document -> PathWalk.any(document, path, compiled);
            }
        };
    }

    /** A test of one value, without looking into it as an array unless the test itself does. */
    private static CursorTest value(ValueTest test, RunContext context) {
        return switch (test) {
            case ValueTest.Compare(var comparison, var operand) ->
                folding(ValueTests.compare(comparison, context.collation().fold(operand)), List.of(operand), context);
            case ValueTest.In in -> in(in, context);
            case ValueTest.Exists() -> whole(value -> value != null);
            case ValueTest.TypeIs(var types) -> ValueTests.type(types);
            case ValueTest.Matches matches -> ValueTests.matches(matches);
            case ValueTest.Mod mod -> ValueTests.mod(mod);
            case ValueTest.Size(var count) ->
                whole(value -> value != null && value.isArray() && ValueTests.count(value.document()) == count);
            case ValueTest.BitTest bits -> ValueTests.bits(bits);
            case ValueTest.GeoWithin(var area, var unused) -> geometry(area::contains);
            case ValueTest.GeoIntersects(var geometry, var unused) -> geometry(geometry::intersects);
            case ValueTest.IsNear(var near, var unused) ->
                geometry(each -> near.distance(each).stream().anyMatch(near::counts));
            case ValueTest.ElementMatches(var filter) -> {
                DocumentTest inner = compile(filter, context);
                yield whole(value -> value != null && value.isArray() && anyDocument(value.document(), inner));
            }
            case ValueTest.ElementIs(var all) -> {
                CursorTest inner = elementAll(all, context);
                yield whole(value -> value != null && value.isArray() && anyElement(value.document(), inner));
            }
            case ValueTest.Not(var all) -> {
                CursorTest inner = elementAll(all, context);
                yield whole(value -> !inner.test(value));
            }
            case ValueTest.AllOf(var all) -> {
                CursorTest inner = elementAll(all, context);
                yield all.isEmpty() ? whole(_ -> false) : inner;
            }
        };
    }

    /** A test of the geometries that a value is read as. */
    private static CursorTest geometry(Predicate<Geometry> test) {
        return whole(value -> value != null
                && (value.isDocument() || value.isArray())
                && StoredGeometry.valid(value.value()).stream().anyMatch(test));
    }

    private static CursorTest in(ValueTest.In in, RunContext context) {
        if (context.collation().isSimple()) {
            return ValueTests.in(in);
        }
        List<BsonValue> folded =
                in.values().stream().map(context.collation()::fold).toList();
        CursorTest values = folding(ValueTests.in(new ValueTest.In(folded, List.of())), in.values(), context);
        CursorTest patterns = ValueTests.in(new ValueTest.In(List.of(), in.patterns()));
        return value -> values.test(value) || patterns.test(value);
    }

    /** A test of folded values, where what they are compared with may hold strings. */
    private static CursorTest folding(CursorTest test, List<BsonValue> operands, RunContext context) {
        Collation collation = context.collation();
        boolean concerned = !collation.isSimple()
                && operands.stream()
                        .anyMatch(operand ->
                                Collation.concerns((byte) operand.getBsonType().getValue()));
        return concerned ? value -> test.test(value == null ? null : collation.fold(value)) : test;
    }

    /** All tests on one element of an array. An element that is an array itself is taken whole. */
    private static CursorTest elementAll(List<ValueTest> all, RunContext context) {
        CursorTest[] tests = all.stream().map(test -> value(test, context)).toArray(CursorTest[]::new);
        return whole(value -> {
            for (CursorTest test : tests) {
                if (!test.test(value)) {
                    return false;
                }
            }
            return true;
        });
    }

    private static boolean anyDocument(RawDocument array, DocumentTest test) {
        RawCursor element = array.cursor();
        while (element.next()) {
            if ((element.isDocument() || element.isArray()) && test.test(element.document())) {
                return true;
            }
        }
        return false;
    }

    private static boolean anyElement(RawDocument array, CursorTest test) {
        RawCursor element = array.cursor();
        while (element.next()) {
            if (test.test(element)) {
                return true;
            }
        }
        return false;
    }

    private static CursorTest whole(CursorTest test) {
        return new CursorTest() {
            @Override
            public boolean test(RawCursor valueOrNull) {
                return test.test(valueOrNull);
            }

            @Override
            public boolean looksIntoArrays() {
                return false;
            }
        };
    }
}
