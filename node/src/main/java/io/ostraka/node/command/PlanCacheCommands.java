package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.member.Member;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.filter.FilterPrinter;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.query.plan.PlanCache;
import io.ostraka.query.plan.QueryShape;
import io.ostraka.query.projection.Projection;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.PlanCacheRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * {@code planCacheClear}, {@code planCacheListFilters}, {@code planCacheSetFilter}, {@code planCacheClearFilters} and the stage
 * {@code $planCacheStats}: the plans that have won trials on this member, and which indexes shapes of queries may use.
 *
 * <pre>
 * { planCacheClear: name, query?, sort?, projection?, collation? }  →  { }
 * { planCacheListFilters: name }  →  { filters: [ { query, sort, projection, collation?, indexes } ] }
 * { planCacheSetFilter: name, query, sort?, projection?, collation?, indexes: [ name | keyPattern ] }  →  { }
 * { planCacheClearFilters: name, query?, sort?, projection?, collation? }  →  { }
 * </pre>
 *
 * A collection that does not exist has no plans.
 */
final class PlanCacheCommands {
    /** One of the commands. */
    private record Of(String name, Needs needs, Rule rule, Member member) implements Command<PlanCacheRequest> {
        @Override
        public PlanCacheRequest parse(Fields fields) {
            return PlanCacheRequest.parse(fields);
        }

        @Override
        public RawDocument run(PlanCacheRequest request, Operation operation) {
            return member.views()
                    .catalog()
                    .find(new Namespace(request.database(), request.collection()))
                    .map(collection -> rule.run(request, collection))
                    .orElseGet(() -> name.equals("planCacheListFilters") ? shown(List.of()) : RawDocument.EMPTY);
        }
    }

    @FunctionalInterface
    private interface Rule {
        RawDocument run(PlanCacheRequest request, CollectionEntry collection);
    }

    private final Member member;
    private final PlanCache plans;

    PlanCacheCommands(Member member) {
        this.member = member;
        plans = member.views().plans();
    }

    List<Command<?>> all() {
        return List.of(
                new Of("planCacheClear", Needs.read("planCacheWrite"), this::clear, member),
                new Of("planCacheClearFilters", Needs.read("planCacheIndexFilter"), this::clearFilters, member),
                new Of("planCacheListFilters", Needs.read("planCacheIndexFilter"), this::list, member),
                new Of("planCacheSetFilter", Needs.read("planCacheIndexFilter"), this::set, member));
    }

    private static Optional<FindQuery> query(PlanCacheRequest request, CollectionEntry collection) {
        if (request.query().isEmpty()) {
            if (request.sort().isPresent() || request.projection().isPresent()) {
                throw BAD_VALUE.because("'sort' and 'projection' need a 'query' beside them");
            }
            return Optional.empty();
        }
        FindQuery query = QueryWords.of(
                        request.query().get(), request.sort().orElse(RawDocument.EMPTY), Optional.empty())
                .collated(request.collation()
                        .map(each -> Collation.of(Optional.of(each)))
                        .orElse(collection.collation()));
        return Optional.of(request.projection()
                .filter(each -> !each.isEmpty())
                .map(each -> query.projected(Projection.parseFind(each)))
                .orElse(query));
    }

    private RawDocument clear(PlanCacheRequest request, CollectionEntry collection) {
        query(request, collection)
                .ifPresentOrElse(
                        query -> plans.clear(collection.ident(), QueryShape.plain(query)),
                        () -> plans.clear(collection.ident()));
        return RawDocument.EMPTY;
    }

    private RawDocument clearFilters(PlanCacheRequest request, CollectionEntry collection) {
        plans.unfilter(collection.ident(), query(request, collection).map(QueryShape::plain));
        return RawDocument.EMPTY;
    }

    private RawDocument set(PlanCacheRequest request, CollectionEntry collection) {
        FindQuery query =
                query(request, collection).orElseThrow(() -> BAD_VALUE.because("required field query missing"));
        BsonArray indexes = request.indexes().orElseThrow(() -> BAD_VALUE.because("required field indexes missing"));
        if (indexes.isEmpty()) {
            throw BAD_VALUE.because("required field indexes must contain at least one index");
        }
        for (var index : indexes) {
            boolean named = index.isString() && !index.asString().getValue().isEmpty();
            if (!named && !(index.isDocument() && !index.asDocument().isEmpty())) {
                throw BAD_VALUE.because("each item in indexes must be a non-empty object or string");
            }
        }
        plans.filter(collection.ident(), new PlanCache.IndexFilter(query, indexes));
        return RawDocument.EMPTY;
    }

    private RawDocument list(PlanCacheRequest request, CollectionEntry collection) {
        return shown(plans.filters(collection.ident()));
    }

    private static RawDocument shown(List<PlanCache.IndexFilter> filters) {
        BsonArray all = new BsonArray();
        for (PlanCache.IndexFilter filter : filters) {
            all.add(words(filter.query()).append("indexes", filter.indexes()));
        }
        return new RawBuilder().put("filters", all).build();
    }

    private static BsonDocument words(FindQuery query) {
        BsonDocument words = new BsonDocument("query", FilterPrinter.print(query.filter()))
                .append("sort", query.sort().toDocument().toBson())
                .append("projection", query.projection().map(Projection::source).orElseGet(BsonDocument::new));
        if (!query.collation().isSimple()) {
            words.append("collation", query.collation().toDocument());
        }
        return words;
    }

    /** {@code $planCacheStats}: a document for each plan. */
    List<RawDocument> stage(Reading.Opened opened, BsonDocument options) {
        if (!options.isEmpty() && !options.keySet().equals(java.util.Set.of("allHosts"))) {
            throw FAILED_TO_PARSE.because("$planCacheStats stage specification must be an empty object");
        }
        List<RawDocument> rows = new ArrayList<>();
        opened.collection().ifPresent(collection -> {
            for (PlanCache.Cached entry : plans.of(collection.ident())) {
                rows.add(RawDocument.of(new BsonDocument("version", new BsonString("1"))
                        .append("queryHash", new BsonString(entry.shape().hash()))
                        .append(
                                "planCacheShapeHash",
                                new BsonString(entry.shape().hash()))
                        .append("planCacheKey", new BsonString(entry.shape().hash()))
                        .append("isActive", BsonBoolean.TRUE)
                        .append("works", new BsonInt64(entry.works()))
                        .append("worksType", new BsonString("works"))
                        .append("timeOfCreation", new BsonDateTime(entry.createdMillis()))
                        .append("createdFromQuery", words(entry.query()))
                        .append("cachedPlan", entry.plan())
                        .append("indexFilterSet", BsonBoolean.valueOf(isFiltered(collection, entry)))
                        .append(
                                "host",
                                new BsonString(member.settings().address().get()))));
            }
        });
        return rows;
    }

    private boolean isFiltered(CollectionEntry collection, PlanCache.Cached entry) {
        return plans.allowed(collection.ident(), entry.query(), List.of()).isPresent();
    }
}
