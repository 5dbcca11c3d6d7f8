package io.ostraka.query.update;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.value.Arithmetic;
import io.ostraka.query.value.Values;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/** Carries out modifiers at places of one document. */
final class Modifying {
    private final RunContext context;
    private final boolean insert;

    Modifying(RunContext context, boolean insert) {
        this.context = context;
        this.insert = insert;
    }

    void apply(Modifier modifier, Place place, BsonDocument root) {
        switch (modifier) {
            case Modifier.Set(var value, var onInsertOnly) -> {
                if (insert || !onInsertOnly) {
                    place.set(own(value));
                }
            }
            case Modifier.Unset() -> place.remove();
            case Modifier.Add(var amount) -> calculate("$inc", place, amount);
            case Modifier.Multiply(var factor) -> calculate("$mul", place, factor);
            case Modifier.Extreme(var value, var greatest) -> extreme(place, value, greatest);
            case Modifier.Rename(var to) -> rename(place, new Place(root, FieldPath.of(to)));
            case Modifier.Push push -> push(place, push, root);
            case Modifier.AddToSet(var values) -> addToSet(place, values, root);
            case Modifier.Pop(var first) -> {
                BsonArray array = array("$pop", place, root);
                if (array != null && !array.isEmpty()) {
                    array.remove(first ? 0 : array.size() - 1);
                }
            }
            case Modifier.PullValue(var value) ->
                pull("$pull", place, root, each -> context.collation().equal(each, value));
            case Modifier.PullMatching(var filter) -> {
                DocumentTest test = FilterCompiler.compile(filter, context);
                pull("$pull", place, root, each -> test.test(alone(each)));
            }
            case Modifier.PullAll(var values) ->
                pull(
                        "$pullAll",
                        place,
                        root,
                        each -> values.stream()
                                .anyMatch(value -> context.collation().equal(value, each)));
            case Modifier.CurrentDate(var timestamp) ->
                place.set(timestamp ? context.clusterTime() : new BsonDateTime(context.nowMillis()));
            case Modifier.Bit(var operation, var operand) -> bit(place, operation, operand);
        }
    }

    /** Documents and arrays are changed where they lie, so each place gets its own. */
    private static BsonValue own(BsonValue value) {
        if (value.isDocument()) {
            return value.asDocument().clone();
        }
        return value.isArray() ? value.asArray().clone() : value;
    }

    private static RawDocument alone(BsonValue element) {
        return new RawBuilder()
                .openArray(ModifierParser.ELEMENT)
                .put("0", element)
                .close()
                .build();
    }

    private static void calculate(String operator, Place place, BsonValue operand) {
        BsonValue now = place.get();
        boolean adds = operator.equals("$inc");
        if (Values.isMissing(now)) {
            place.set(adds ? operand : Arithmetic.zeroLike(operand));
            return;
        }
        if (!Values.isNumber(now)) {
            throw TYPE_MISMATCH.because(
                    "Cannot apply %s to a value of non-numeric type. The field '%s' has type %s.",
                    operator, place.path(), Values.typeName(now));
        }
        BsonValue result = adds ? Arithmetic.add(now, operand) : Arithmetic.multiply(now, operand);
        if (result.isDouble() && Arithmetic.areWholeTypes(now, operand)) {
            throw BAD_VALUE.because(
                    "Failed to apply %s operations to current value (%s) for the field '%s': the result does not fit"
                            + " into 64 bits",
                    operator, Values.show(now), place.path());
        }
        place.set(result);
    }

    private void extreme(Place place, BsonValue value, boolean greatest) {
        BsonValue now = place.get();
        int order = Values.isMissing(now) ? 0 : context.collation().order().compare(value, now);
        if (Values.isMissing(now) || (greatest ? order > 0 : order < 0)) {
            place.set(own(value));
        }
    }

    private static void rename(Place from, Place to) {
        if (from.crossesArray()) {
            throw BAD_VALUE.because(
                    "The source field cannot be an array element, '%s' has an array on its way", from.path());
        }
        BsonValue value = from.get();
        if (Values.isMissing(value)) {
            return;
        }
        if (to.crossesArray()) {
            throw BAD_VALUE.because(
                    "The destination field cannot be an array element, '%s' has an array on its way", to.path());
        }
        from.remove();
        to.set(value);
    }

    /** The array at a place, or null where nothing is. */
    private static BsonArray array(String operator, Place place, BsonDocument root) {
        BsonValue now = place.get();
        if (Values.isMissing(now)) {
            return null;
        }
        if (!now.isArray()) {
            BsonValue id = root.get("_id");
            throw (operator.equals("$pop") ? TYPE_MISMATCH : BAD_VALUE)
                    .because(
                            "%s needs an array: the field '%s' must be an array but is of type %s in document {_id: %s}",
                            operator, place.path(), Values.typeName(now), id == null ? "none" : Values.show(id));
        }
        return now.asArray();
    }

    private static BsonArray arrayToFill(String operator, Place place, BsonDocument root) {
        BsonArray array = array(operator, place, root);
        if (array == null) {
            array = new BsonArray();
            place.set(array);
        }
        return array;
    }

    private void push(Place place, Modifier.Push push, BsonDocument root) {
        BsonArray array = arrayToFill("$push", place, root);
        long wanted = push.position().orElse(array.size());
        long at = wanted < 0 ? Math.max(0, array.size() + wanted) : Math.min(wanted, array.size());
        int index = (int) at;
        for (BsonValue value : push.values()) {
            array.add(index++, own(value));
        }
        push.sort().ifPresent(ordering -> sort(array, ordering));
        if (push.slice().isPresent()) {
            long slice = push.slice().getAsLong();
            if (slice < 0) {
                while (array.size() > -slice) {
                    array.remove(0);
                }
            } else {
                while (array.size() > slice) {
                    array.remove(array.size() - 1);
                }
            }
        }
    }

    private void sort(BsonArray array, Modifier.Ordering ordering) {
        Comparator<BsonValue> order = ordering.whole()
                ? ordering.descending()
                        ? context.collation().order().reversed()
                        : context.collation().order()
                : Comparator.comparing(element -> ordering.fields()
                        .keyOf(
                                element.isDocument() ? RawDocument.of(element.asDocument()) : RawDocument.EMPTY,
                                context.collation()));
        array.sort(order);
    }

    private void addToSet(Place place, List<BsonValue> values, BsonDocument root) {
        BsonArray array = arrayToFill("$addToSet", place, root);
        for (BsonValue value : values) {
            if (array.stream().noneMatch(each -> context.collation().equal(each, value))) {
                array.add(own(value));
            }
        }
    }

    private static void pull(String operator, Place place, BsonDocument root, Predicate<BsonValue> out) {
        BsonArray array = array(operator, place, root);
        if (array != null) {
            array.removeIf(out);
        }
    }

    private static void bit(Place place, Modifier.BitOperation operation, BsonValue operand) {
        BsonValue now = place.get();
        if (Values.isMissing(now)) {
            now = Arithmetic.zeroLike(operand);
        }
        if (!now.isInt32() && !now.isInt64()) {
            throw BAD_VALUE.because(
                    "Cannot apply $bit to a value of non-integral type: the field '%s' has type %s",
                    place.path(), Values.typeName(now));
        }
        long one = now.asNumber().longValue();
        long other = operand.asNumber().longValue();
        long result = switch (operation) {
            case AND -> one & other;
            case OR -> one | other;
            case XOR -> one ^ other;
        };
        place.set(now.isInt32() && operand.isInt32() ? new BsonInt32((int) result) : new BsonInt64(result));
    }
}
