package io.ostraka.acceptance.spec;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Whether values are alike: numbers by value, documents field by field in their order. */
final class Likeness {
    private Likeness() {}

    static boolean of(BsonValue one, BsonValue other) {
        if (one == null || other == null) {
            return one == null && other == null;
        }
        if (one.isNumber() && other.isNumber()) {
            return Double.compare(number(one), number(other)) == 0;
        }
        if (one.isDocument() && other.isDocument()) {
            return ofDocuments(one.asDocument(), other.asDocument());
        }
        return one.isArray() && other.isArray() ? ofArrays(one.asArray(), other.asArray()) : one.equals(other);
    }

    private static double number(BsonValue value) {
        double number = value.isDecimal128()
                ? value.asDecimal128().doubleValue()
                : value.asNumber().doubleValue();
        return number == 0 ? 0.0 : number; // -0 is 0
    }

    private static boolean ofArrays(BsonArray one, BsonArray other) {
        if (one.size() != other.size()) {
            return false;
        }
        for (int i = 0; i < one.size(); i++) {
            if (!of(one.get(i), other.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean ofDocuments(BsonDocument one, BsonDocument other) {
        if (one.size() != other.size()) {
            return false;
        }
        Iterator<Map.Entry<String, BsonValue>> others = other.entrySet().iterator();
        for (Map.Entry<String, BsonValue> field : one.entrySet()) {
            Map.Entry<String, BsonValue> counterpart = others.next();
            if (!field.getKey().equals(counterpart.getKey()) || !of(field.getValue(), counterpart.getValue())) {
                return false;
            }
        }
        return true;
    }

    /** Whether a document has all of some fields. */
    static boolean has(BsonDocument document, BsonDocument fields) {
        return fields.entrySet().stream().allMatch(field -> of(document.get(field.getKey()), field.getValue()));
    }

    /** Whether lists hold the same documents. */
    static boolean of(List<BsonDocument> one, List<BsonDocument> other, boolean inOrder) {
        if (one.size() != other.size()) {
            return false;
        }
        if (inOrder) {
            return ofArrays(new BsonArray(one), new BsonArray(other));
        }
        List<BsonDocument> left = new java.util.ArrayList<>(other);
        for (BsonDocument document : one) {
            Iterator<BsonDocument> each = left.iterator();
            boolean found = false;
            while (!found && each.hasNext()) {
                if (of(document, each.next())) {
                    each.remove();
                    found = true;
                }
            }
            if (!found) {
                return false;
            }
        }
        return true;
    }
}
