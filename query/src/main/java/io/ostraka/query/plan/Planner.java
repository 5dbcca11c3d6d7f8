package io.ostraka.query.plan;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.METADATA_MISSING;
import static io.ostraka.core.error.ErrorCode.MIN_MAX_NEEDS_HINT;
import static io.ostraka.core.error.ErrorCode.NO_QUERY_EXECUTION_PLANS;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.bson.ValueOrder;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterBounds;
import io.ostraka.query.filter.FilterFolding;
import io.ostraka.query.filter.GeoTests;
import io.ostraka.query.filter.Intervals;
import io.ostraka.query.filter.TextFilters;
import io.ostraka.query.filter.ValueTest;
import io.ostraka.query.geo.Near;
import io.ostraka.query.index.AccessMethod;
import io.ostraka.query.index.IndexBounds;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.index.IndexField;
import io.ostraka.query.index.WildcardBounds;
import io.ostraka.query.projection.Projection;
import io.ostraka.query.run.Metadata;
import io.ostraka.query.run.QueryLimits;
import io.ostraka.query.sort.SortPattern;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonNull;
import org.bson.BsonType;
import org.bson.BsonUndefined;

/**
 * Finds how a query can be answered, by the shape of the filter and the indexes alone: the longest equality prefix comes
 * first, then what also sorts, then what bounds at all. The rest of the filter is asked of the documents. Where there are
 * several ways a trial decides.
 */
public final class Planner {
    private static final int STRINGS = ValueOrder.canonicalType(BsonType.STRING);
    private static final int DOCUMENTS = ValueOrder.canonicalType(BsonType.DOCUMENT);
    private static final int ARRAYS = ValueOrder.canonicalType(BsonType.ARRAY);

    /** Plans by one index each that are compared. */
    private static final int CANDIDATES_MAX = 12;

    private final FindQuery query;
    /** What indexes of the query's collation are asked for bounds. */
    private final Filter bounded;

    private final List<PlannedIndex> indexes;
    private final Optional<Set<FieldPath>> shardKey;
    private final QueryLimits limits;

    private Planner(
            FindQuery query, List<PlannedIndex> indexes, Optional<Set<FieldPath>> shardKey, QueryLimits limits) {
        this.query = query;
        this.bounded = FilterFolding.fold(query.filter(), query.collation());
        this.indexes = indexes;
        this.shardKey = shardKey;
        this.limits = limits;
    }

    /**
     * Plans a query.
     *
     * @param indexes those that are ready, hidden ones too
     * @param shardKey the key's fields if documents this shard does not own must be left out
     * @throws io.ostraka.core.error.CommandException 2 if the hint names no index
     */
    public static PlanNode plan(
            FindQuery query, List<PlannedIndex> indexes, Optional<List<IndexField>> shardKey, QueryLimits limits) {
        Optional<Set<FieldPath>> paths =
                shardKey.map(fields -> fields.stream().map(IndexField::path).collect(Collectors.toSet()));
        return new Planner(withRules(query, indexes), indexes, paths, limits)
                .plans()
                .getFirst();
    }

    /**
     * All plans worth a trial, the one first that {@link #plan} gives.
     *
     * @param indexes those that are ready, hidden ones too
     * @param shardKey the key's fields if documents this shard does not own must be left out
     * @throws io.ostraka.core.error.CommandException 2 if the hint names no index
     */
    public static List<PlanNode> candidates(
            FindQuery query, List<PlannedIndex> indexes, Optional<List<IndexField>> shardKey, QueryLimits limits) {
        Optional<Set<FieldPath>> paths =
                shardKey.map(fields -> fields.stream().map(IndexField::path).collect(Collectors.toSet()));
        return new Planner(withRules(query, indexes), indexes, paths, limits).plans();
    }

    /**
     * The plan that looks at one entry for each different value of a path, where an index begins with it and says all that
     * the query asks.
     *
     * @param query without a sort, and of all matching documents
     * @param path whose values are asked for
     */
    public static Optional<PlanNode> distinct(
            FindQuery query,
            FieldPath path,
            List<PlannedIndex> indexes,
            Optional<List<IndexField>> shardKey,
            QueryLimits limits) {
        boolean hinted = query.hint().filter(hint -> !hint.isEmpty()).isPresent();
        if (shardKey.isPresent()
                || hinted
                || path.length() > 1
                || !query.collation().isSimple()) {
            return Optional.empty(); // what is not owned shows only in documents
        }
        if (TextFilters.isIn(query.filter()) || GeoTests.near(query.filter()).isPresent()) {
            return Optional.empty();
        }
        Planner planner = new Planner(query, indexes, Optional.empty(), limits);
        for (PlannedIndex index : indexes) {
            IndexDefinition definition = index.definition();
            IndexField first = definition.fields().getFirst();
            if (definition.isOrdered()
                    && first.isValue()
                    && first.path().equals(path)
                    && index.multikey() == 0
                    && definition.isComplete()
                    && definition.collation().isSimple()
                    && !definition.hidden()) {
                Candidate candidate = planner.candidate(index);
                boolean all = query.filter().isEverything()
                        || candidate.bounds.bounded() == 1 && decides(candidate, planner.bounded);
                if (all) {
                    return Optional.of(new PlanNode.DistinctScan(definition, candidate.bounds, path));
                }
            }
        }
        return Optional.empty();
    }

    /** What is asked of words is asked by the rules of the collection's one index of them. */
    private static FindQuery withRules(FindQuery query, List<PlannedIndex> indexes) {
        if (!TextFilters.isIn(query.filter())) {
            return query;
        }
        return indexes.stream()
                .filter(index -> !index.definition().hidden())
                .filter(index -> index.definition().method() instanceof AccessMethod.Text)
                .map(index -> ((AccessMethod.Text) index.definition().method()).rules())
                .findFirst()
                .map(rules -> query.filtered(TextFilters.on(query.filter(), rules)))
                .orElseThrow(TextFilters::noIndex);
    }

    /** One way to use one index. */
    private record Candidate(PlannedIndex index, IndexBounds bounds, long multikey, Direction sorted) {
        enum Direction {
            UNSORTED,
            FORWARDS,
            BACKWARDS
        }

        boolean isSorted() {
            return sorted != Direction.UNSORTED;
        }

        /** From here on a candidate finds one document at most. */
        static final int ONE_DOCUMENT = 10_000;

        int score() {
            int points = bounds.leadingPoints();
            boolean unique = index.definition().unique() || index.definition().isId();
            boolean whole = unique && points == bounds.fields().size();
            boolean range = bounds.bounded() > points;
            int ranges = Math.min(9, bounds.ranges().size() - 1);
            return (whole ? ONE_DOCUMENT : 0) + points * 100 + (range ? 60 - ranges : 0) + (isSorted() ? 30 : 0);
        }

        int width() {
            return bounds.fields().size();
        }
    }

    private List<PlanNode> plans() {
        Optional<PlanNode> only = only();
        return only.isPresent() ? List.of(only.get()) : compared();
    }

    /** The one plan of a query that leaves no choice. */
    private Optional<PlanNode> only() {
        if (query.filter() instanceof Filter.Always(var matches) && !matches) {
            return Optional.of(finish(new PlanNode.Eof(), true));
        }
        Optional<RawDocument> hint = query.hint();
        Optional<Filter.Field> near = GeoTests.near(query.filter());
        Optional<Filter.Text> words = TextFilters.any(query.filter());
        checkMetadata(near.isPresent(), words.isPresent());
        if (near.isPresent()) {
            return Optional.of(byDistance(near.get()));
        }
        if (words.isPresent()) {
            return Optional.of(byWords(words.get()));
        }
        if (query.limits().isPresent()) {
            return Optional.of(within(query.limits().get()));
        }
        if (hint.isPresent() && "$natural".equals(hint.get().firstName())) {
            return Optional.of(overCollection(SortPattern.naturalDirection(hint.get()) < 0));
        }
        if (hint.isPresent() && !hint.get().isEmpty()) {
            PlannedIndex index = hinted(hint.get());
            return Optional.of(over(best(candidates(index))
                    .orElseThrow(() -> NO_QUERY_EXECUTION_PLANS.because(
                            "error processing query: planner returned error :: caused by :: No query solutions: the"
                                    + " hinted index %s does not have every document that may match",
                            index.definition().name()))));
        }
        return byId();
    }

    /** By a part of the hinted index, whatever the filter says. */
    private PlanNode within(KeyLimits keys) {
        if (query.hint()
                .filter(hint -> !hint.isEmpty() && !"$natural".equals(hint.firstName()))
                .isEmpty()) {
            throw MIN_MAX_NEEDS_HINT.because("When using min()/max() a hint of which index to use must be provided");
        }
        PlannedIndex index = hinted(query.hint().get());
        IndexBounds bounds = keys.on(index.definition());
        Candidate candidate = new Candidate(
                index,
                bounds,
                index.multikey(),
                hasOrderOf(index) ? direction(bounds, index.multikey()) : Candidate.Direction.UNSORTED);
        return finish(
                owned(new PlanNode.Fetch(scan(candidate, false), query.filter())),
                query.sort().isEmpty() || candidate.isSorted());
    }

    /** Plans by the indexes that bound the query or give its order, the likeliest first. */
    private List<PlanNode> compared() {
        List<Candidate> candidates = new ArrayList<>();
        for (PlannedIndex index : indexes) {
            for (Candidate candidate : candidates(index)) {
                if (isUsable(candidate)) {
                    if (candidate.bounds.fields().stream().anyMatch(Intervals::isNone)) {
                        return List.of(finish(new PlanNode.Eof(), true));
                    }
                    if (candidate.bounds.bounded() > 0 || candidate.isSorted()) {
                        candidates.add(candidate);
                    }
                }
            }
        }
        candidates.sort(Comparator.comparingInt(Candidate::score).reversed().thenComparingInt(Candidate::width));
        if (!candidates.isEmpty() && candidates.getFirst().score() >= Candidate.ONE_DOCUMENT) {
            return List.of(over(candidates.getFirst()));
        }
        List<PlanNode> plans = new ArrayList<>();
        candidates.stream().limit(CANDIDATES_MAX).forEach(candidate -> plans.add(over(candidate)));
        List<PlanNode> unions = byUnion();
        boolean bounds = !candidates.isEmpty() && candidates.getFirst().bounds.bounded() > 0;
        plans.addAll(bounds || !candidates.isEmpty() && query.limit() > 0 ? plans.size() : 0, unions);
        if (!bounds) {
            plans.add(overCollection(query.backwards()));
        }
        return plans;
    }

    /** Whether the index has every document the filter can match. */
    private boolean isUsable(Candidate candidate) {
        IndexDefinition definition = candidate.index.definition();
        if (definition.hidden()) {
            return false;
        }
        if (!hasOrderOf(candidate.index)
                && (candidate.bounds.bounded() == 0 || definition.partial().isPresent())) {
            return false;
        }
        if (definition.sparse()) {
            Intervals first = candidate.bounds.fields().getFirst();
            return definition.fields().getFirst().isValue()
                    && !first.contains(BsonNull.VALUE)
                    && !first.contains(new BsonUndefined());
        }
        return definition.partial().map(asked -> implies(query.filter(), asked)).orElse(true);
    }

    /** Whether a filter says, word for word, all that another one says. */
    private static boolean implies(Filter filter, Filter asked) {
        if (asked instanceof Filter.And(var all)) {
            return all.stream().allMatch(part -> implies(filter, part));
        }
        return filter.equals(asked)
                || filter instanceof Filter.And(var parts) && parts.stream().anyMatch(part -> implies(part, asked));
    }

    private static Optional<Candidate> best(List<Candidate> candidates) {
        Candidate best = null;
        for (Candidate next : candidates) {
            if (best == null
                    || next.score() > best.score()
                    || next.score() == best.score() && next.width() < best.width()) {
                best = next;
            }
        }
        return Optional.ofNullable(best);
    }

    private PlannedIndex hinted(RawDocument hint) {
        for (PlannedIndex index : indexes) {
            IndexDefinition definition = index.definition();
            boolean named = hint.firstName().isEmpty();
            boolean meant = named
                    ? hint.get("").isString()
                            && hint.get("").asString().getValue().equals(definition.name())
                    : IndexDefinition.fields(hint).equals(definition.fields());
            if (meant && !definition.hidden()) {
                return index;
            }
        }
        throw BAD_VALUE.because(
                "error processing query: planner returned error :: caused by :: hint provided does not correspond to an"
                        + " existing index: %s",
                hint);
    }

    /** The ways to use an index. */
    private List<Candidate> candidates(PlannedIndex index) {
        return switch (index.definition().method()) {
            case AccessMethod.Ordered _ -> List.of(candidate(index));
            case AccessMethod.Wildcard _ when !hasOrderOf(index) -> List.of();
            case AccessMethod.Wildcard wildcard ->
                WildcardBounds.of(index.definition(), wildcard, bounded, index.multikey(), limits.scanRangesMax())
                        .stream()
                        .map(each -> new Candidate(
                                index, each.bounds(), each.multikey(), direction(each.bounds(), each.multikey())))
                        .toList();
            case AccessMethod.Planar _, AccessMethod.Sphere _ -> {
                IndexBounds bounds = boundsOfPlaces(index);
                boolean asked = false;
                for (int i = 0; i < bounds.over().size(); i++) {
                    asked |= bounds.over().get(i).isGeo()
                            && !bounds.fields().get(i).isAll();
                }
                // It has no keys of documents without a place.
                yield asked
                        ? List.of(new Candidate(index, bounds, index.multikey(), direction(bounds, index.multikey())))
                        : List.of();
            }
            case AccessMethod.Text _ -> {
                IndexBounds bounds =
                        IndexBounds.of(index.definition(), query.filter(), index.multikey(), limits.scanRangesMax());
                boolean asked = TextFilters.required(query.filter()).isPresent() && reachesWords(bounds, index);
                yield asked
                        ? List.of(new Candidate(index, bounds, index.multikey(), Candidate.Direction.UNSORTED))
                        : List.of();
            }
        };
    }

    private IndexBounds boundsOfPlaces(PlannedIndex index) {
        IndexBounds bounds = IndexBounds.of(index.definition(), bounded, index.multikey(), limits.scanRangesMax());
        if (hasOrderOf(index)) {
            return bounds;
        }
        IndexBounds free = bounds;
        for (int i = 0; i < bounds.over().size(); i++) {
            if (!bounds.over().get(i).isGeo()) {
                free = free.with(i, Intervals.ALL, limits.scanRangesMax()); // its strings are in another order
            }
        }
        return free;
    }

    /** Whether all fields before the words have one value each, as only then their keys are together. */
    private boolean reachesWords(IndexBounds bounds, PlannedIndex index) {
        int words = 0;
        while (bounds.over().get(words).kind() != IndexField.Kind.TEXT) {
            if (!bounds.fields().get(words).isPoint() || !hasOrderOf(index)) {
                return false;
            }
            words++;
        }
        return true;
    }

    private void checkMetadata(boolean near, boolean words) {
        for (Metadata each : query.metadata()) {
            boolean available = switch (each) {
                case TEXT_SCORE -> words;
                case GEO_NEAR_DISTANCE -> near;
            };
            if (!available) {
                throw METADATA_MISSING.because(
                        "query requires %s metadata, but it is not available",
                        each == Metadata.TEXT_SCORE ? "text score" : "geo near distance");
            }
        }
    }

    /** By the index of words, and others where words are one of several possibilities. */
    private PlanNode byWords(Filter.Text words) {
        if (query.hint().filter(hint -> !hint.isEmpty()).isPresent()) {
            throw BAD_VALUE.because("text queries cannot be given a hint: they use the text index");
        }
        boolean scored = query.metadata().contains(Metadata.TEXT_SCORE);
        boolean sorted = query.sort().isEmpty();
        if (TextFilters.required(query.filter()).isEmpty()) {
            PlanNode union = union().orElseThrow(() -> NO_QUERY_EXECUTION_PLANS.because(
                    "error processing query: planner returned error :: caused by :: Failed to produce a solution for"
                            + " TEXT under OR - other non-TEXT clauses under OR have to be indexed as well."));
            return finish(owned(new PlanNode.TextMatch(union, words, query.filter(), false, scored)), sorted);
        }
        for (PlannedIndex index : indexes) {
            for (Candidate candidate : index.definition().hidden() ? List.<Candidate>of() : candidates(index)) {
                if (index.definition().method() instanceof AccessMethod.Text
                        && index.definition()
                                .partial()
                                .map(asked -> implies(query.filter(), asked))
                                .orElse(true)) {
                    PlanNode scan = scan(candidate, false);
                    return finish(
                            owned(new PlanNode.TextMatch(scan, words, TextFilters.rest(query.filter()), true, scored)),
                            sorted);
                }
            }
        }
        throw NO_QUERY_EXECUTION_PLANS.because(
                "error processing query: planner returned error :: caused by :: failed to use text index to satisfy $text"
                        + " query (if text index is compound, are equality predicates given for all prefix fields?)");
    }

    /** By the index on the place that is asked for. */
    private PlanNode byDistance(Filter.Field field) {
        Near near = ((ValueTest.IsNear) field.test()).near();
        PlanNode found = null;
        for (PlannedIndex index : query.hint().filter(hint -> !hint.isEmpty()).isPresent()
                ? List.of(hinted(query.hint().get()))
                : indexes) {
            IndexDefinition definition = index.definition();
            boolean usable = !definition.hidden()
                    && definition
                            .partial()
                            .map(asked -> implies(query.filter(), asked))
                            .orElse(true);
            for (int i = 0; i < definition.fields().size() && usable; i++) {
                IndexField part = definition.fields().get(i);
                boolean sphere = part.kind() == IndexField.Kind.SPHERE;
                boolean fits = part.isGeo()
                        && part.path().equals(field.path())
                        && (sphere ? near.onSphere() : near.unit() != Near.Unit.METRES);
                if (fits && (found == null || sphere)) {
                    found = new PlanNode.GeoNear(
                            definition,
                            boundsOfPlaces(index),
                            i,
                            field.path(),
                            near,
                            query.filter(),
                            query.metadata().contains(Metadata.GEO_NEAR_DISTANCE));
                }
            }
        }
        if (found == null) {
            throw NO_QUERY_EXECUTION_PLANS.because(
                    "error processing query: planner returned error :: caused by :: unable to find index for $geoNear"
                            + " query: create a %s index on '%s'",
                    near.unit() == Near.Unit.PLANE ? "2d" : "2dsphere", field.path());
        }
        return finish(owned(found), query.sort().isEmpty());
    }

    private Candidate candidate(PlannedIndex index) {
        IndexBounds bounds = bounds(index, bounded);
        if (hasOrderOf(index)) {
            return new Candidate(index, bounds, index.multikey(), direction(bounds, index.multikey()));
        }
        // Its strings are in another order: it can be used where none is meant, and orders nothing.
        boolean apart = bounds.bounded() > 0;
        for (int i = 0; i < bounds.bounded() && apart; i++) {
            apart = isWithoutText(asked(index, bounds, i));
        }
        return new Candidate(
                index,
                apart ? bounds : bounds(index, Filter.EVERYTHING),
                index.multikey(),
                Candidate.Direction.UNSORTED);
    }

    /** What a filter asks of a field: where that is hashed, what the hashes are of. */
    private Intervals asked(PlannedIndex index, IndexBounds bounds, int at) {
        IndexField field = index.definition().fields().get(at);
        return field.isHashed()
                ? FilterBounds.of(bounded, field.path(), (index.multikey() >>> at & 1) == 0)
                        .intervals()
                : bounds.fields().get(at);
    }

    private IndexBounds bounds(PlannedIndex index, Filter filter) {
        return IndexBounds.of(index.definition().fields(), filter, index.multikey(), limits.scanRangesMax());
    }

    private boolean hasOrderOf(PlannedIndex index) {
        return index.definition().collation().equals(query.collation());
    }

    /** Whether all values of these intervals are of one type each, and none of one that holds strings. */
    private static boolean isWithoutText(Intervals intervals) {
        return intervals.list().stream().allMatch(interval -> {
            int low = ValueOrder.canonicalType(interval.low().getBsonType());
            int high = ValueOrder.canonicalType(interval.high().getBsonType());
            return low == high && low != STRINGS && low != DOCUMENTS && low != ARRAYS;
        });
    }

    /** Whether walking the index gives the order asked for. */
    private Candidate.Direction direction(IndexBounds bounds, long multikey) {
        List<IndexField> fields = bounds.over();
        List<SortPattern.Part> wanted = query.sort().parts();
        if (wanted.isEmpty()) {
            return Candidate.Direction.UNSORTED;
        }
        int at = bounds.leadingPoints();
        Set<FieldPath> fixed = fields.subList(0, at).stream()
                .filter(IndexField::isValue)
                .map(IndexField::path)
                .collect(Collectors.toSet());
        if ((multikey & (1L << at) - 1) != 0) {
            fixed = Set.of(); // an array with the value may have others, and sorts by them
        }
        Boolean backwards = null;
        for (SortPattern.Part part : wanted) {
            if (fixed.contains(part.path())) {
                continue;
            }
            if (at >= fields.size()) {
                return Candidate.Direction.UNSORTED;
            }
            IndexField field = fields.get(at);
            boolean reversed = field.isDescending() != part.descending();
            if (!field.path().equals(part.path())
                    || !field.isValue()
                    || (multikey >>> at & 1) == 1
                    || backwards != null && backwards != reversed) {
                return Candidate.Direction.UNSORTED;
            }
            backwards = reversed;
            at++;
        }
        return backwards != null && backwards ? Candidate.Direction.BACKWARDS : Candidate.Direction.FORWARDS;
    }

    private Optional<PlanNode> byId() {
        boolean exactly =
                query.filter() instanceof Filter.Field(var path, ValueTest.Compare(var comparison, var operand))
                        && path.text().equals("_id")
                        && comparison == ValueTest.Comparison.EQUAL
                        && !operand.isArray()
                        && !operand.isNull();
        if (!exactly) {
            return Optional.empty();
        }
        for (PlannedIndex index : indexes) {
            Candidate candidate = index.definition().isId() ? candidate(index) : null;
            if (candidate != null && candidate.bounds.bounded() > 0) {
                return Optional.of(finish(owned(new PlanNode.IdLookup(index.definition(), candidate.bounds)), true));
            }
        }
        return Optional.empty();
    }

    /** Each part of a disjunction by an index of its own. */
    private List<PlanNode> byUnion() {
        List<PlanNode> plans = new ArrayList<>();
        if (!query.sort().isEmpty()) {
            branches(true)
                    .ifPresent(scans -> plans.add(finish(
                            owned(new PlanNode.SortMerge(
                                    scans.stream()
                                            .<PlanNode>map(scan -> new PlanNode.Fetch(scan, query.filter()))
                                            .toList(),
                                    query.sort())),
                            true)));
        }
        union().ifPresent(union -> plans.add(finish(
                owned(new PlanNode.Fetch(union, query.filter())), query.sort().isEmpty())));
        return plans;
    }

    private Optional<PlanNode> union() {
        return branches(false).map(PlanNode.Or::new);
    }

    /** @param sorted whether each must give the order that is asked for */
    private Optional<List<PlanNode>> branches(boolean sorted) {
        Optional<Filter.Or> or = switch (query.filter()) {
            case Filter.Or whole -> Optional.of(whole);
            case Filter.And(var all) ->
                all.stream()
                        .filter(part -> part instanceof Filter.Or)
                        .map(part -> (Filter.Or) part)
                        .findFirst();
            case Filter.Field _, Filter.Nor _, Filter.Expr _, Filter.Schema _, Filter.Text _, Filter.Always _ ->
                Optional.empty();
        };
        if (or.isEmpty()) {
            return Optional.empty();
        }
        List<PlanNode> scans = new ArrayList<>();
        for (Filter part : or.get().any()) {
            FindQuery branch = FindQuery.of(part).collated(query.collation());
            Planner inner = new Planner(sorted ? branch.sorted(query.sort()) : branch, indexes, shardKey, limits);
            Optional<Candidate> best = best(inner.ofBranch(sorted));
            if (best.isEmpty()) {
                return Optional.empty();
            }
            scans.add(scan(best.get(), false));
        }
        return Optional.of(scans);
    }

    private List<Candidate> ofBranch(boolean sorted) {
        List<Candidate> candidates = new ArrayList<>();
        for (PlannedIndex index : indexes) {
            for (Candidate candidate : candidates(index)) {
                boolean none = candidate.bounds.fields().stream().anyMatch(Intervals::isNone);
                boolean bounds = candidate.bounds.bounded() > 0 && (!sorted || candidate.isSorted());
                if (isUsable(candidate) && (bounds || none)) {
                    candidates.add(candidate);
                }
            }
        }
        return candidates;
    }

    private PlanNode overCollection(boolean backwards) {
        return finish(
                owned(new PlanNode.CollectionScan(query.filter(), backwards)),
                query.sort().isEmpty());
    }

    private PlanNode scan(Candidate candidate, boolean covered) {
        return new PlanNode.IndexScan(
                candidate.index.definition(),
                candidate.bounds,
                candidate.sorted == Candidate.Direction.BACKWARDS,
                candidate.multikey,
                covered);
    }

    private PlanNode over(Candidate candidate) {
        boolean decided = decides(candidate, bounded);
        boolean sorted = query.sort().isEmpty() || candidate.isSorted();
        if (decided && sorted && isCovered(candidate)) {
            return finish(owned(scan(candidate, true)), true);
        }
        if (decided && query.countOnly() && holdsShardKey(candidate)) {
            return finish(owned(scan(candidate, shardKey.isPresent())), true);
        }
        Filter rest = decided ? Filter.EVERYTHING : query.filter();
        return finish(owned(new PlanNode.Fetch(scan(candidate, false), rest)), sorted);
    }

    /** Whether the bounds alone say all that the filter says. */
    private static boolean decides(Candidate candidate, Filter filter) {
        return switch (filter) {
            case Filter.And(var all) -> all.stream().allMatch(part -> decides(candidate, part));
            case Filter.Field field -> {
                List<IndexField> fields = candidate.bounds.over();
                boolean found = false;
                for (int i = 0; i < candidate.bounds.bounded(); i++) {
                    found |= fields.get(i).path().equals(field.path())
                            && fields.get(i).isValue()
                            && (candidate.multikey >>> i & 1) == 0;
                }
                yield found && FilterBounds.of(field, field.path(), true).exact();
            }
            case Filter.Or _, Filter.Nor _, Filter.Expr _, Filter.Schema _, Filter.Text _, Filter.Always _ -> false;
        };
    }

    private boolean isCovered(Candidate candidate) {
        return candidate.multikey == 0
                && candidate.index.definition().isOrdered()
                && candidate.index.definition().collation().isSimple() // others hold no strings, only their places
                && holdsShardKey(candidate)
                && query.projection()
                        .flatMap(projection -> projection.keptPaths())
                        .map(paths -> holds(candidate, paths))
                        .orElse(false);
    }

    private boolean holdsShardKey(Candidate candidate) {
        return shardKey.isEmpty()
                || candidate.multikey == 0
                        && candidate.index.definition().isOrdered()
                        && candidate.index.definition().collation().isSimple()
                        && holds(candidate, shardKey.get());
    }

    /** Whether the index has these paths, none of them below another document or hashed. */
    private static boolean holds(Candidate candidate, java.util.Collection<FieldPath> paths) {
        Set<FieldPath> held = candidate.index.definition().fields().stream()
                .filter(field -> field.isValue() && field.path().length() == 1)
                .map(IndexField::path)
                .collect(Collectors.toSet());
        return held.containsAll(paths);
    }

    private static boolean isCovered(PlanNode node) {
        return node instanceof PlanNode.IndexScan scan
                ? scan.covered()
                : node.children().stream().anyMatch(Planner::isCovered);
    }

    private PlanNode owned(PlanNode node) {
        return shardKey.isPresent() ? new PlanNode.ShardingFilter(node) : node;
    }

    private PlanNode finish(PlanNode node, boolean sorted) {
        PlanNode plan = node;
        if (!sorted && !query.countOnly()) {
            long needed = query.limit() == 0 ? 0 : query.limit() + query.skip();
            plan = new PlanNode.Sort(plan, query.sort(), Math.max(0, needed));
        }
        if (query.skip() > 0) {
            plan = new PlanNode.Skip(plan, query.skip());
        }
        if (query.limit() > 0) {
            plan = new PlanNode.Limit(plan, query.limit());
        }
        if (query.countOnly()) {
            return new PlanNode.Count(plan);
        }
        boolean untold = !query.metadata().isEmpty()
                && query.told().isEmpty()
                && !query.projection().map(Projection::tells).orElse(false);
        if ((query.projection().isPresent() || untold) && !(node instanceof PlanNode.Eof)) {
            Projection projection = query.projection().orElseGet(() -> Projection.parseFind(RawDocument.EMPTY));
            plan = new PlanNode.Project(plan, projection, isCovered(plan), query.filter(), untold);
        }
        return plan;
    }
}
