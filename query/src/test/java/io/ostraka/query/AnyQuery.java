package io.ostraka.query;

import io.ostraka.core.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/** Random documents, filters and sorts over few fields and few values, from a seed. */
public final class AnyQuery {
    private static final List<String> PATHS = List.of("a", "b", "c", "a.b", "b.a", "a.0", "a.b.c", "c.a");

    private final Random random;

    public AnyQuery(long seed) {
        random = new Random(seed);
    }

    public Random random() {
        return random;
    }

    public <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    public String path() {
        return one(PATHS);
    }

    public BsonValue scalar() {
        int small = random.nextInt(5);
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> new BsonInt32(small);
            case 3 -> new BsonInt64(small);
            case 4 -> new BsonDouble(random.nextInt(4) == 0 ? Double.NaN : small / 2.0);
            case 5 -> new BsonDecimal128(Decimal128.parse(small + ".0"));
            case 6, 7 -> new BsonString(one(List.of("", "a", "ab", "b", "A", "aB", "Á")));
            case 8 -> BsonNull.VALUE;
            case 9 -> BsonBoolean.valueOf(small > 2);
            case 10 -> random.nextBoolean() ? new BsonMinKey() : new BsonMaxKey();
            default -> new BsonInt32(small - 2);
        };
    }

    public BsonValue value(int depth) {
        int kind = depth == 0 ? 9 : random.nextInt(10);
        if (kind < 2) {
            return fields(depth - 1);
        }
        if (kind < 4) {
            BsonArray array = new BsonArray();
            for (int i = random.nextInt(4); i > 0; i--) {
                array.add(value(depth - 1));
            }
            return array;
        }
        return scalar();
    }

    public BsonDocument fields(int depth) {
        BsonDocument document = new BsonDocument();
        for (String name : List.of("a", "b", "c")) {
            if (random.nextInt(3) > 0) {
                document.put(name, value(depth));
            }
        }
        return document;
    }

    public List<RawDocument> documents(int count) {
        List<RawDocument> documents = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            BsonDocument document = new BsonDocument("_id", new BsonInt32(i));
            document.putAll(fields(2));
            documents.add(RawDocument.of(document));
        }
        return documents;
    }

    public BsonDocument filter(int depth) {
        BsonDocument filter = new BsonDocument();
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            if (depth > 0 && random.nextInt(4) == 0) {
                BsonArray parts = new BsonArray();
                for (int j = 1 + random.nextInt(2); j > 0; j--) {
                    parts.add(filter(depth - 1));
                }
                filter.put(one(List.of("$and", "$or", "$or", "$nor")), parts);
            } else {
                filter.put(path(), condition(depth));
            }
        }
        return filter;
    }

    private BsonValue condition(int depth) {
        return condition(depth, false);
    }

    private BsonValue condition(int depth, boolean operatorsOnly) {
        if (!operatorsOnly && random.nextInt(3) == 0) {
            return value(1);
        }
        BsonDocument operators = new BsonDocument();
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            operator(operators, depth);
        }
        return operators;
    }

    private void operator(BsonDocument operators, int depth) {
        switch (random.nextInt(14)) {
            case 0, 1 -> operators.put("$gt", value(1));
            case 2, 3 -> operators.put("$lte", value(1));
            case 4 -> operators.put("$gte", value(1));
            case 5 -> operators.put("$lt", value(1));
            case 6 -> operators.put("$in", new BsonArray(List.of(value(1), value(1), value(1))));
            case 7 -> operators.put("$ne", value(1));
            case 8 -> operators.put("$exists", BsonBoolean.valueOf(random.nextBoolean()));
            case 9 -> operators.put("$nin", new BsonArray(List.of(scalar(), scalar())));
            case 10 -> {
                if (depth > 0) {
                    BsonDocument inner =
                            random.nextBoolean() ? filter(depth - 1) : (BsonDocument) condition(depth - 1, true);
                    operators.put("$elemMatch", inner);
                } else {
                    operators.put("$size", new BsonInt32(random.nextInt(3)));
                }
            }
            case 11 -> operators.put("$not", new BsonDocument("$gt", scalar()));
            case 12 -> operators.put("$all", new BsonArray(List.of(scalar(), scalar())));
            default -> operators.put("$in", new BsonArray(List.of(new BsonRegularExpression("^a"), scalar())));
        }
    }

    public BsonDocument sort() {
        BsonDocument sort = new BsonDocument();
        for (int i = random.nextInt(3); i > 0; i--) {
            sort.put(path(), new BsonInt32(random.nextBoolean() ? 1 : -1));
        }
        return sort;
    }
}
