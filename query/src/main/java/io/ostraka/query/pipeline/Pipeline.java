package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.STAGE_MUST_BE_FIRST;
import static io.ostraka.core.error.ErrorCode.STAGE_MUST_BE_LAST;
import static io.ostraka.core.error.ErrorCode.STAGE_NOT_SINGLE_FIELD;
import static io.ostraka.core.error.ErrorCode.TEXT_NOT_FIRST;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;
import static io.ostraka.core.error.ErrorCode.UNRECOGNIZED_STAGE;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.TextFilters;
import io.ostraka.query.filter.ValueTest;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.Metadata;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.sort.SortPattern;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonDocument;

/** An aggregation pipeline. Immutable and valid. Runs on any stream of documents, whole or in two halves. */
public record Pipeline(List<Stage> stages) {
    private static final int STAGES_MAX = 1000;

    private static final Set<String> IN_UPDATES =
            Set.of("$addFields", "$project", "$replaceRoot", "$replaceWith", "$set", "$unset");

    private static final Set<String> OWN_DOCUMENTS = Set.of(
            "$changeStream",
            "$collStats",
            "$currentOp",
            "$documents",
            "$indexStats",
            "$listLocalSessions",
            "$listSessions",
            "$planCacheStats",
            "$shardedDataDistribution");

    public Pipeline {
        stages = List.copyOf(stages);
    }

    /** Reads a pipeline without variables. */
    public static Pipeline parse(List<RawDocument> documents) {
        return parse(documents, Variables.NONE);
    }

    /** Reads a pipeline. Unknown stages are refused (40324). */
    public static Pipeline parse(List<RawDocument> documents, Variables variables) {
        if (documents.size() > STAGES_MAX) {
            throw io.ostraka.core.error.ErrorCode.PIPELINE_TOO_LONG.because(
                    "Pipeline length must be no longer than %d stages.", STAGES_MAX);
        }
        List<Stage> stages = new ArrayList<>();
        for (RawDocument document : documents) {
            stages.addAll(stage(document.toBson(), variables));
        }
        for (int i = 1; i < stages.size(); i++) {
            if (stages.get(i) instanceof Stage.Match match && TextFilters.isIn(match.filter())) {
                throw TEXT_NOT_FIRST.because("$match with $text is only allowed as the first pipeline stage");
            }
            if (stages.get(i).comesFirst()) {
                throw STAGE_MUST_BE_FIRST.because(
                        "%s is only valid as the first stage in a pipeline.",
                        stages.get(i).toBson().getFirstKey());
            }
        }
        for (int i = 0; i < stages.size() - 1; i++) {
            if (stages.get(i).writes()) {
                throw STAGE_MUST_BE_LAST.because(
                        "%s can only be the final stage in the pipeline",
                        stages.get(i).toBson().getFirstKey());
            }
        }
        return new Pipeline(stages);
    }

    /** The last stage, if it writes what the others make. */
    public Optional<Stage> writer() {
        return stages.isEmpty() || !stages.getLast().writes() ? Optional.empty() : Optional.of(stages.getLast());
    }

    /** All but the stage that writes. */
    public Pipeline withoutWriter() {
        return writer().isEmpty() ? this : new Pipeline(stages.subList(0, stages.size() - 1));
    }

    /** Every stage there is, sorted. */
    public static List<String> names() {
        return Values.sorted(StageParser.TABLE.keySet());
    }

    /** Every operator of windows that is no accumulator, sorted. */
    public static List<String> windowOperators() {
        return WindowParser.OPERATORS;
    }

    private static List<Stage> stage(BsonDocument document, Variables variables) {
        if (document.size() != 1) {
            throw STAGE_NOT_SINGLE_FIELD.because(
                    "A pipeline stage specification object must contain exactly one field.");
        }
        String name = document.getFirstKey();
        if (name.equals(Stage.Tell.NAME)) {
            return List.of(new Stage.Tell(Metadata.named(document)));
        }
        if (name.equals(Stage.Untold.NAME)) {
            return List.of(new Stage.Untold());
        }
        StageParser.Reader reader = StageParser.TABLE.get(name);
        if (reader == null) {
            throw UNRECOGNIZED_STAGE.because("Unrecognized pipeline stage name: '%s'", name);
        }
        return reader.read(name, document.get(name), variables);
    }

    /** Reads the stages of an update, given as a raw array. Only those that make one document of one are allowed. */
    public static List<Stage> parseUpdate(RawDocument array, Variables variables) {
        List<Stage> stages = new ArrayList<>();
        RawCursor cursor = array.cursor();
        while (cursor.next()) {
            if (!cursor.isDocument()) {
                throw TYPE_MISMATCH.because("Each element of the 'pipeline' array must be an object");
            }
            String name = cursor.document().firstName();
            if (name != null && StageParser.TABLE.containsKey(name) && !IN_UPDATES.contains(name)) {
                throw INVALID_OPTIONS.because("%s is not allowed to be used within an update", name);
            }
            stages.addAll(stage(cursor.document().toBson(), variables));
        }
        return stages;
    }

    /** Runs the stages of an update on one document. */
    public static RawDocument applyToOne(List<Stage> stages, RawDocument document, RunContext context) {
        return new Pipeline(stages)
                .open(DocumentStream.of(List.of(document)), context)
                .toList()
                .getFirst();
    }

    /**
     * Runs the pipeline.
     *
     * @param input the collection's documents; for a pipeline that begins with a stage of its own documents, those
     * @return a stream that closes the input when it is closed
     */
    public DocumentStream open(DocumentStream input, RunContext context) {
        DocumentStream stream = input;
        for (Stage stage : stages) {
            stream = StageStreams.open(stage, stream, context);
        }
        return stream;
    }

    /**
     * What of a pipeline a query on the collection can do, with indexes.
     *
     * @param filter of all leading matches
     * @param sort of the sort behind them, or natural
     * @param limit of the limit behind those; 0 for none
     * @param rest what is left to run
     * @param told what it needs to know of the documents beside what is in them
     */
    public record Pushdown(Filter filter, SortPattern sort, long limit, Pipeline rest, Set<Metadata> told) {}

    /** What stages ask of documents beside what is in them. */
    public Set<Metadata> metadata() {
        Set<Metadata> all = EnumSet.noneOf(Metadata.class);
        stages.forEach(stage -> all.addAll(stage.metadata()));
        return all;
    }

    /** The same, whose documents tell nothing beside what is in them, unless another process needs to know. */
    Pipeline untold() {
        return metadata().isEmpty() ? this : withUntold();
    }

    /** The same, for documents that may tell what only others have asked for. */
    Pipeline withUntold() {
        if (stages.stream().anyMatch(stage -> stage instanceof Stage.Tell)) {
            return this;
        }
        List<Stage> more = new ArrayList<>(stages);
        more.add(new Stage.Untold());
        return new Pipeline(more);
    }

    /** The same on a collection with these indexes: a {@code $geoNear} that names no field means that of one of them. */
    public Pushdown pushdown(List<IndexDefinition> indexes) {
        if (stages.isEmpty() || !(stages.getFirst() instanceof Stage.GeoNear near)) {
            return pushdown();
        }
        List<Stage> resolved = new ArrayList<>(stages);
        resolved.set(0, GeoNearParser.resolved(near, indexes));
        return new Pipeline(resolved).pushdown();
    }

    private Pushdown pushdown(Stage.GeoNear near) {
        Filter filter = near.key()
                .<Filter>map(path -> new Filter.And(List.of(
                        new Filter.Field(path, new ValueTest.IsNear(near.near(), near.source())), near.query())))
                .orElse(near.query());
        long limit = stages.size() > 1 && stages.get(1) instanceof Stage.Limit(var count) ? count : 0;
        return new Pushdown(filter, SortPattern.NATURAL, limit, untold(), metadata());
    }

    /** Takes the leading matches, a sort behind them and a limit behind that out of the pipeline. */
    public Pushdown pushdown() {
        if (!stages.isEmpty() && stages.getFirst() instanceof Stage.GeoNear near) {
            return pushdown(near);
        }
        List<Filter> filters = new ArrayList<>();
        int at = 0;
        while (at < stages.size() && stages.get(at) instanceof Stage.Match match) {
            filters.add(match.filter());
            at++;
        }
        SortPattern sort = SortPattern.NATURAL;
        long limit = 0;
        if (at < stages.size() && stages.get(at) instanceof Stage.Sort(var by, var first)) {
            sort = by;
            limit = first;
            at++;
        }
        if (at < stages.size() && stages.get(at) instanceof Stage.Limit(var count)) {
            limit = limit == 0 ? count : Math.min(limit, count);
            at++;
        }
        Filter filter = filters.size() == 1 ? filters.getFirst() : new Filter.And(filters);
        Pipeline rest = new Pipeline(stages.subList(at, stages.size()));
        return new Pushdown(filter, sort, limit, metadata().isEmpty() ? rest : rest.withUntold(), metadata());
    }

    /**
     * A pipeline in two halves: each shard runs the first, and the second runs on all their documents together, in
     * any order.
     *
     * @param mergeOrder the order each shard's documents come in, where the second half begins with a sort by it: who
     *     merges by it may leave that sort out
     */
    public record Split(Pipeline shards, Pipeline router, Optional<SortPattern> mergeOrder) {
        /** The second half for who has merged the shards' documents by {@link #mergeOrder}. */
        public Pipeline routerAfterMerge() {
            if (mergeOrder.isEmpty()) {
                return router;
            }
            List<Stage> stages = new ArrayList<>(router.stages);
            Stage.Sort sort = (Stage.Sort) stages.removeFirst();
            if (sort.limit() > 0) {
                stages.addFirst(new Stage.Limit(sort.limit()));
            }
            return new Pipeline(stages);
        }
    }

    /** Cuts the pipeline at the first stage that must see the documents of all shards together. */
    public Split split() {
        Split split = cut();
        if (metadata().isEmpty()) {
            return split;
        }
        List<Stage> head = new ArrayList<>(split.shards.stages);
        head.add(new Stage.Tell(metadata()));
        return new Split(new Pipeline(head), split.router.withUntold(), split.mergeOrder);
    }

    private Split cut() {
        for (int cut = 0; cut < stages.size(); cut++) {
            List<Stage> head = new ArrayList<>(stages.subList(0, cut));
            List<Stage> tail = new ArrayList<>(stages.subList(cut + 1, stages.size()));
            switch (stages.get(cut)) {
                case Stage.Match _,
                        Stage.Project _,
                        Stage.Unwind _,
                        Stage.Redact _,
                        Stage.ReplaceRoot _,
                        Stage.Tell _,
                        Stage.Untold _,
                        Stage.FromOutside _,
                        Stage.Documents _ -> {} // each shard can do this alone; look further
                case Stage.Sort sort -> {
                    Stage.Sort all = sort.limit() == 0 ? withLimit(sort, tail) : sort;
                    head.add(all);
                    tail.addFirst(all); // sorted streams are merged
                    return new Split(new Pipeline(head), new Pipeline(tail), Optional.of(sort.by()));
                }
                case Stage.GeoNear near -> {
                    head.add(near);
                    Stage.Sort nearest = new Stage.Sort(
                            new SortPattern(List.of(new SortPattern.Part(near.distanceField(), false))), 0);
                    tail.addFirst(nearest);
                    return new Split(withLimit(head, tail), new Pipeline(tail), Optional.of(nearest.by()));
                }
                case Stage.Limit limit -> {
                    head.add(limit); // n of each are enough for n of all
                    tail.addFirst(limit);
                    return split(head, tail);
                }
                case Stage.Skip skip -> {
                    if (!tail.isEmpty() && tail.getFirst() instanceof Stage.Limit(var count)) {
                        head.add(new Stage.Limit(skip.count() + count < 0 ? Long.MAX_VALUE : skip.count() + count));
                    }
                    tail.addFirst(skip);
                    return split(head, tail);
                }
                case Stage.Group group -> {
                    head.add(group.as(Stage.Group.Part.PARTIAL));
                    tail.addFirst(group.as(Stage.Group.Part.COMBINE));
                    return split(head, tail);
                }
                case Stage.BucketAuto _,
                        Stage.WindowFields _,
                        Stage.Densify _,
                        Stage.Facet _,
                        Stage.Fill _,
                        Stage.GraphLookup _,
                        Stage.Merge _,
                        Stage.Out _,
                        Stage.Lookup _,
                        Stage.UnionWith _ -> {
                    return split(stages.subList(0, cut), stages.subList(cut, stages.size()));
                }
                case Stage.Sample sample -> {
                    head.add(sample.as(Stage.Group.Part.PARTIAL));
                    tail.addFirst(sample.as(Stage.Group.Part.COMBINE));
                    return split(head, tail);
                }
            }
        }
        return split(stages, List.of());
    }

    private static Split split(List<Stage> head, List<Stage> tail) {
        return new Split(new Pipeline(head), new Pipeline(tail), Optional.empty());
    }

    /** The nearest of each shard are enough for the nearest of all. */
    private static Pipeline withLimit(List<Stage> head, List<Stage> tail) {
        if (tail.size() > 1 && tail.get(1) instanceof Stage.Limit limit) {
            head.add(limit);
        }
        return new Pipeline(head);
    }

    /** A sort needs no more documents than a limit right behind it, or behind a skip, lets through. */
    private static Stage.Sort withLimit(Stage.Sort sort, List<Stage> tail) {
        long skipped = 0;
        for (Stage stage : tail) {
            if (stage instanceof Stage.Skip(var count)) {
                skipped += count;
            } else if (stage instanceof Stage.Limit(var count) && skipped + count > 0) {
                return new Stage.Sort(sort.by(), skipped + count);
            } else {
                return sort;
            }
        }
        return sort;
    }

    /** Whether a stage reads another collection, so that no shard alone can run it. */
    public boolean readsOthers() {
        return stages.stream().anyMatch(Stage::readsOthers);
    }

    /** The other collections that stages name, those within their own pipelines too. */
    public static Set<String> collectionsNamed(List<RawDocument> stages) {
        Set<String> names = new TreeSet<>();
        stages.forEach(stage -> ForeignNames.collect(stage.toBson(), names));
        return names;
    }

    /** The same of a pipeline that is not read yet, and may be none. */
    public static boolean bringsDocuments(List<RawDocument> stages) {
        return !stages.isEmpty()
                && OWN_DOCUMENTS.contains(String.valueOf(stages.getFirst().firstName()));
    }

    /** Whether a pipeline that is not read yet ends with a stage that writes. */
    public static boolean endsByWriting(List<RawDocument> stages) {
        String last = stages.isEmpty() ? "" : String.valueOf(stages.getLast().firstName());
        return last.equals("$out") || last.equals("$merge");
    }

    /** Whether the first stage brings documents of its own, so that no collection is read. */
    public boolean hasOwnDocuments() {
        return !stages.isEmpty()
                && (stages.getFirst() instanceof Stage.Documents || stages.getFirst() instanceof Stage.FromOutside);
    }
}
