package io.ostraka.query.plan;

import io.ostraka.query.filter.FilterPrinter;
import java.util.Locale;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/**
 * What queries have in common that differ in their values alone: one plan is likely to be good for all of them.
 *
 * @param text all that counts
 */
public record QueryShape(String text) {
    private static final BsonValue ANY = new BsonInt32(1);

    /** All that a plan's worth hangs on. */
    public static QueryShape of(FindQuery query) {
        return new QueryShape(
                plain(query).text + (query.limit() > 0 ? "limited" : "") + (query.countOnly() ? "counted" : ""));
    }

    /** What a client names a shape by: filter, sort, projection and collation. */
    public static QueryShape plain(FindQuery query) {
        BsonDocument projection = query.projection().map(each -> each.source()).orElseGet(BsonDocument::new);
        String values = values(FilterPrinter.print(query.filter())).toString();
        return new QueryShape(values
                + query.sort().toDocument()
                + projection
                + (query.collation().isSimple() ? "" : query.collation().toDocument()));
    }

    /** A filter whose operands are all alike; of an operand only whether it is a document of operators counts. */
    private static BsonValue values(BsonValue value) {
        if (value instanceof BsonDocument document) {
            BsonDocument shape = new BsonDocument();
            document.forEach((name, inner) -> shape.put(name, isOperand(name) ? ANY : values(inner)));
            return shape;
        }
        if (value instanceof BsonArray array) {
            BsonArray shape = new BsonArray();
            array.forEach(each -> shape.add(values(each)));
            return shape;
        }
        return ANY;
    }

    private static boolean isOperand(String name) {
        return switch (name) {
            case "$and", "$or", "$nor", "$not", "$elemMatch", "$all" -> false;
            default -> name.startsWith("$");
        };
    }

    /** Eight hexadecimal digits that tell shapes apart, mostly. */
    public String hash() {
        return String.format(Locale.ROOT, "%08X", text.hashCode());
    }
}
