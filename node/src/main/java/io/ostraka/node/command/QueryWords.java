package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.NOT_IMPLEMENTED;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.query.plan.KeyLimits;
import io.ostraka.query.projection.Projection;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.sort.SortPattern;
import io.ostraka.wire.request.FindRequest;
import java.util.List;
import java.util.Optional;
import org.bson.BsonValue;

/** From the words of requests to queries. */
public final class QueryWords {
    private QueryWords() {}

    /** A find as the planner takes it. */
    public static FindQuery of(FindRequest request, RunContext context) {
        if (request.returnKey()) {
            throw NOT_IMPLEMENTED.because("'returnKey' is not supported by this version; use explain");
        }
        if (request.tailable()) {
            throw NOT_IMPLEMENTED.because("tailable cursors are not supported by this version");
        }
        Variables variables = Variables.of(request.let(), context);
        FindQuery query = of(request.filter(), request.sort(), request.hint(), variables);
        if (!request.projection().isEmpty()) {
            query = query.projected(Projection.parseFind(request.projection(), variables));
        }
        if (request.min().isPresent() || request.max().isPresent()) {
            query = query.within(new KeyLimits(request.min(), request.max()));
        }
        return query.skipping(request.skip()).limited(request.limit()).collated(context.collation());
    }

    /** A filter, a sort and a hint, without variables. */
    public static FindQuery of(RawDocument filter, RawDocument sort, Optional<BsonValue> hint) {
        return of(filter, sort, hint, Variables.NONE);
    }

    /** A filter, a sort and a hint. */
    public static FindQuery of(RawDocument filter, RawDocument sort, Optional<BsonValue> hint, Variables variables) {
        Filter parsed = FilterParser.parse(filter.toBson(), variables);
        boolean natural = "$natural".equals(sort.firstName());
        boolean backwards = natural && sort.get("$natural").asNumber().intValue() < 0;
        Optional<RawDocument> wanted = natural && hint.isEmpty() ? Optional.of(sort) : hint.map(QueryWords::hint);
        return new FindQuery(parsed, SortPattern.parse(sort), Optional.empty(), 0, 0, wanted, backwards, false);
    }

    private static RawDocument hint(BsonValue hint) {
        return hint.isString() ? new RawBuilder().put("", hint).build() : RawDocument.of(hint.asDocument());
    }

    /** The documents of an array. */
    public static List<RawDocument> documents(Optional<RawDocument> array) {
        List<RawDocument> documents = new java.util.ArrayList<>();
        if (array.isPresent()) {
            var cursor = array.get().cursor();
            while (cursor.next()) {
                documents.add(cursor.isDocument() ? cursor.document() : RawDocument.EMPTY);
            }
        }
        return documents;
    }
}
