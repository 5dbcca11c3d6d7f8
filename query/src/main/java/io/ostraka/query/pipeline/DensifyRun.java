package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.DENSIFY_NOT_NUMBER_OR_DATE;
import static io.ostraka.core.error.ErrorCode.DENSIFY_TOO_MANY;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.bson.ValueOrder;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.Evaluator;
import io.ostraka.query.expression.Expression;
import io.ostraka.query.expression.ExpressionParser;
import io.ostraka.query.expression.Scope;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.sort.SortPattern;
import io.ostraka.query.value.Arithmetic;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** One {@code $densify} being run: documents are made where a step has none. */
final class DensifyRun {
    private static final int MADE_MAX = 500_000;

    private final Stage.Densify stage;
    private final RunContext context;
    private final HeldDocuments result;
    private int made;

    DensifyRun(Stage.Densify stage, RunContext context) {
        this.stage = stage;
        this.context = context;
        this.result = new HeldDocuments("$densify", context.limits().sortBytesMax());
    }

    Iterator<RawDocument> run(DocumentStream input) {
        List<Expression> fields = new ArrayList<>();
        stage.partitionBy().forEach(path -> fields.add(new Expression.Field(path)));
        SortPattern order = new SortPattern(List.of(new SortPattern.Part(stage.field(), false)));
        List<List<RawDocument>> partitions =
                PartitionSort.all("$densify", input, new Expression.ArrayOf(fields), order, context);
        partitions.forEach(partition -> partition.forEach(this::check));
        BsonValue least = null;
        BsonValue most = null;
        for (List<RawDocument> partition : partitions) {
            List<BsonValue> values = values(partition);
            if (!values.isEmpty()) {
                least = least == null || before(values.getFirst(), least) ? values.getFirst() : least;
                most = most == null || before(most, values.getLast()) ? values.getLast() : most;
            }
        }
        for (List<RawDocument> partition : partitions) {
            densify(partition, least, most);
        }
        return result.all().iterator();
    }

    private static boolean before(BsonValue one, BsonValue other) {
        return ValueOrder.ORDER.compare(one, other) < 0;
    }

    private void check(RawDocument document) {
        BsonValue value = value(document, stage.field());
        boolean right = stage.unit().isPresent() ? value.isDateTime() : Values.isNumber(value);
        if (!Values.isNullish(value) && !right) {
            throw DENSIFY_NOT_NUMBER_OR_DATE.because(
                    "PlanExecutor error during aggregation :: caused by :: Densify field type must be numeric, or a"
                            + " date where there is a unit, but is %s",
                    Values.typeName(value));
        }
    }

    private List<BsonValue> values(List<RawDocument> partition) {
        return partition.stream()
                .map(document -> value(document, stage.field()))
                .filter(value -> !Values.isNullish(value))
                .toList();
    }

    private static BsonValue value(RawDocument document, FieldPath path) {
        RawCursor found = path.find(document);
        return found == null ? Values.MISSING : found.value();
    }

    private void densify(List<RawDocument> partition, BsonValue least, BsonValue most) {
        List<BsonValue> own = values(partition);
        Grid grid = switch (stage.bounds()) {
            case Stage.Densify.Between(var from, var to) -> new Grid(from, to, false);
            case Stage.Densify.Full() -> least == null ? null : new Grid(least, most, true);
            case Stage.Densify.OfPartition() -> own.isEmpty() ? null : new Grid(own.getFirst(), own.getLast(), true);
        };
        for (RawDocument document : partition) {
            BsonValue value = value(document, stage.field());
            if (grid != null && !Values.isNullish(value)) {
                grid.makeBefore(value, partition.getFirst());
            }
            result.add(document);
        }
        if (grid != null) {
            grid.makeRest(partition.getFirst());
        }
    }

    /** The steps of one partition, of which those that no document stands on are made. */
    private final class Grid {
        private final BsonValue from;
        private final BsonValue to;
        private final boolean inclusive;
        private long steps;
        private BsonValue next;

        Grid(BsonValue from, BsonValue to, boolean inclusive) {
            this.from = from;
            this.to = to;
            this.inclusive = inclusive;
            next = from;
        }

        private boolean isWithin() {
            int order = ValueOrder.ORDER.compare(next, to);
            return inclusive ? order <= 0 : order < 0;
        }

        void makeBefore(BsonValue value, RawDocument like) {
            while (isWithin() && before(next, value)) {
                make(like);
            }
            if (isWithin() && ValueOrder.equal(next, value)) {
                advance();
            }
        }

        void makeRest(RawDocument like) {
            while (isWithin()) {
                make(like);
            }
        }

        private void make(RawDocument like) {
            context.interruption().check();
            if (++made > MADE_MAX) {
                throw DENSIFY_TOO_MANY.because(
                        "Generated more than %d documents in $densify; use a greater step", MADE_MAX);
            }
            RawDocument document = RawDocument.EMPTY;
            for (FieldPath path : stage.partitionBy()) {
                BsonValue value = value(like, path);
                if (!Values.isMissing(value)) {
                    document = PathSetting.set(document, path, value, context);
                }
            }
            result.add(PathSetting.set(document, stage.field(), next, context));
            advance();
        }

        private void advance() {
            steps++;
            BsonValue amount = Arithmetic.multiply(stage.step(), Values.integer(steps));
            next = stage.unit().isEmpty() ? Arithmetic.add(from, amount) : later(Values.toLong(amount));
        }

        private BsonValue later(long amount) {
            BsonDocument add = new BsonDocument("startDate", from)
                    .append("unit", new BsonString(stage.unit().orElseThrow()))
                    .append("amount", new BsonInt64(amount));
            Expression expression = ExpressionParser.parse(new BsonDocument("$dateAdd", add));
            return Evaluator.evaluate(expression, new Scope(RawDocument.EMPTY, context));
        }
    }
}
