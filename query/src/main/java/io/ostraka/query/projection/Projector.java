package io.ostraka.query.projection;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.Evaluator;
import io.ostraka.query.expression.Scope;
import io.ostraka.query.filter.ArrayPosition;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.projection.Projection.Branch;
import io.ostraka.query.projection.Projection.Mode;
import io.ostraka.query.projection.Projection.Node;
import io.ostraka.query.run.Metadata;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.value.Values;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.bson.BsonValue;

/** A projection made ready. Copies raw elements; decodes only what expressions name. Safe for many threads. */
public final class Projector {
    private final Projection projection;
    private final RunContext context;
    private final Map<Node, DocumentTest> matchers = new IdentityHashMap<>();
    private final Map<Node, ArrayPosition> positions = new IdentityHashMap<>();

    private Projector(Projection projection, Filter filter, RunContext context) {
        this.projection = projection;
        this.context = context;
        prepare(projection.root(), "", filter);
    }

    /** @param filter the query whose matches a positional projection shows */
    public static Projector of(Projection projection, Filter filter, RunContext context) {
        return new Projector(projection, filter, context);
    }

    private void prepare(Branch branch, String prefix, Filter filter) {
        branch.fields().forEach((name, node) -> {
            String path = prefix + name;
            switch (node) {
                case Branch below -> prepare(below, path + ".", filter);
                case Projection.FirstMatch(var elements) ->
                    matchers.put(node, FilterCompiler.compile(elements, context));
                case Projection.Positional _ ->
                    positions.put(node, ArrayPosition.of(filter, FieldPath.of(path), context));
                case Projection.Keep _, Projection.Drop _, Projection.Computed _, Projection.Slice _ -> {}
            }
        });
    }

    public RawDocument apply(RawDocument document) {
        Run run = new Run(document, new RawBuilder(document.size()));
        run.fields(document, projection.root(), true);
        return run.out.build();
    }

    /** One document's projection. */
    private final class Run {
        private final RawDocument root;
        private final Scope scope;
        private final RawBuilder out;

        private Run(RawDocument root, RawBuilder out) {
            this.root = root;
            this.scope = new Scope(root, context);
            this.out = out;
        }

        private boolean keepsOthers() {
            return projection.mode() == Mode.EXCLUSION;
        }

        private void fields(RawDocument document, Branch branch, boolean top) {
            Set<String> seen = new HashSet<>();
            RawCursor element = document.cursor();
            while (element.next()) {
                String name = nameIn(element, branch);
                if (name == null) {
                    if (keepsOthers() || top && Metadata.isField(element)) {
                        out.element(element);
                    }
                    continue;
                }
                Node node = branch.fields().get(name);
                // Computed fields of an inclusion come after the kept ones, in the projection's order.
                if (node instanceof Projection.Computed && !keepsOthers()) {
                    continue;
                }
                seen.add(name);
                put(name, element, node);
            }
            branch.fields().forEach((name, node) -> {
                if (!seen.contains(name)) {
                    putMissing(name, node);
                }
            });
        }

        private String nameIn(RawCursor element, Branch branch) {
            if (branch.fields().size() <= 4) {
                for (String name : branch.fields().keySet()) {
                    if (element.nameEquals(name)) {
                        return name;
                    }
                }
                return null;
            }
            String name = element.name();
            return branch.fields().containsKey(name) ? name : null;
        }

        private void put(String name, RawCursor element, Node node) {
            switch (node) {
                case Projection.Keep _ -> out.element(element);
                case Projection.Drop _ -> {}
                case Projection.Computed(var expression) -> computed(name, Evaluator.evaluate(expression, scope));
                case Projection.Slice slice -> slice(name, element, slice);
                case Projection.FirstMatch _ -> firstMatch(name, element, matchers.get(node));
                case Projection.Positional _ -> positional(name, element, positions.get(node));
                case Branch below -> branch(name, element, below);
            }
        }

        private void computed(String name, BsonValue value) {
            if (!Values.isMissing(value)) {
                out.put(name, value);
            }
        }

        private void putMissing(String name, Node node) {
            switch (node) {
                case Projection.Computed(var expression) -> computed(name, Evaluator.evaluate(expression, scope));
                case Branch below -> {
                    if (computes(below)) {
                        out.openDocument(name);
                        fields(RawDocument.EMPTY, below, false);
                        out.close();
                    }
                }
                case Projection.Keep _,
                        Projection.Drop _,
                        Projection.Slice _,
                        Projection.FirstMatch _,
                        Projection.Positional _ -> {}
            }
        }

        private void branch(String name, RawCursor element, Branch below) {
            if (element.isDocument()) {
                out.openDocument(name);
                fields(element.document(), below, false);
                out.close();
            } else if (element.isArray()) {
                out.openArray(name);
                elements(element.document(), below);
                out.close();
            } else if (computes(below)) {
                out.openDocument(name);
                fields(RawDocument.EMPTY, below, false);
                out.close();
            } else if (keepsOthers()) {
                out.element(element);
            }
        }

        private void elements(RawDocument array, Branch below) {
            RawCursor element = array.cursor();
            int position = 0;
            while (element.next()) {
                String name = Integer.toString(position);
                int before = out.size();
                if (element.isDocument() || element.isArray() || computes(below)) {
                    branch(name, element, below);
                } else if (keepsOthers()) {
                    out.value(name, element);
                }
                position += out.size() > before ? 1 : 0;
            }
        }

        private void slice(String name, RawCursor element, Projection.Slice slice) {
            if (!element.isArray()) {
                out.element(element);
                return;
            }
            int count = count(element.document());
            int from = slice.skip() < 0 ? Math.max(0, count + slice.skip()) : Math.min(slice.skip(), count);
            long to = Math.min(count, (long) from + slice.limit());
            out.openArray(name);
            RawCursor each = element.document().cursor();
            for (int i = 0; each.next(); i++) {
                if (i >= from && i < to) {
                    out.value(Integer.toString(i - from), each);
                }
            }
            out.close();
        }

        private void firstMatch(String name, RawCursor element, DocumentTest test) {
            if (!element.isArray()) {
                return;
            }
            RawCursor each = element.document().cursor();
            while (each.next()) {
                if ((each.isDocument() || each.isArray()) && test.test(each.document())) {
                    out.openArray(name).value("0", each).close();
                    return;
                }
            }
        }

        private void positional(String name, RawCursor element, ArrayPosition position) {
            if (!element.isArray()) {
                out.element(element);
                return;
            }
            int at = position.in(root);
            if (at < 0) {
                throw io.ostraka.core.error.ErrorCode.POSITIONAL_WITHOUT_MATCH.because(
                        "Executor error during find command :: caused by :: positional operator '.$' couldn't find a"
                                + " matching element in the array");
            }
            out.openArray(name)
                    .value("0", element.document().find(Integer.toString(at)))
                    .close();
        }
    }

    private static int count(RawDocument array) {
        RawCursor element = array.cursor();
        int count = 0;
        while (element.next()) {
            count++;
        }
        return count;
    }

    private static boolean computes(Branch branch) {
        return branch.fields().values().stream()
                .anyMatch(
                        node -> node instanceof Projection.Computed || node instanceof Branch below && computes(below));
    }
}
