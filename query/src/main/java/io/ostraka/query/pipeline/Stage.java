package io.ostraka.query.pipeline;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.Expression;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.geo.Near;
import io.ostraka.query.projection.Projection;
import io.ostraka.query.run.Metadata;
import io.ostraka.query.sort.SortPattern;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** A stage of a pipeline: a closed set of records, immutable and valid. */
public sealed interface Stage {
    /** The field by which a stage between our own processes says which half it is. */
    String PART = "$ostrakaPart";

    record Match(Filter filter, BsonDocument source) implements Stage {}

    /**
     * {@code $project}, {@code $addFields}, {@code $set} and {@code $unset}: one document of each document.
     *
     * @param name as the client wrote it
     * @param source what stood behind the name
     */
    record Project(String name, Projection projection, BsonValue source) implements Stage {}

    record Unwind(FieldPath path, Optional<FieldPath> indexField, boolean keepsEmpty) implements Stage {}

    /** One accumulated field of a group. */
    record Accumulated(String name, AccumulatorKind kind, Expression input, Expression parameter, SortPattern order) {}

    /** {@code $bucketAuto}: sorted by a value, in about equal parts. */
    record BucketAuto(
            Expression by, int count, List<Accumulated> output, Optional<Granularity> granularity, BsonDocument source)
            implements Stage {
        public BucketAuto {
            output = List.copyOf(output);
        }
    }

    /** {@code $facet}: several pipelines over the same documents, by the fields their documents go to. */
    record Facet(Map<String, Pipeline> pipelines, BsonDocument source) implements Stage {
        public Facet {
            pipelines = Collections.unmodifiableMap(new LinkedHashMap<>(pipelines));
        }
    }

    /** {@code $densify}: documents where a step has none. */
    record Densify(
            FieldPath field,
            List<FieldPath> partitionBy,
            BsonValue step,
            Optional<String> unit,
            Bounds bounds,
            BsonDocument source)
            implements Stage {
        /** From where to where steps are. */
        public sealed interface Bounds {}

        /** From the least to the greatest value of all. */
        record Full() implements Bounds {}

        /** From the least to the greatest value of each partition. */
        record OfPartition() implements Bounds {}

        /** From one value to before another. */
        record Between(BsonValue from, BsonValue to) implements Bounds {}

        public Densify {
            partitionBy = List.copyOf(partitionBy);
        }
    }

    /** {@code $fill} by methods: fields that are null or missing get what their neighbours say. */
    record Fill(Expression partition, SortPattern order, Map<FieldPath, Method> fields, BsonDocument source)
            implements Stage {
        /** How a value is found: on the line between its neighbours, or the last there was. */
        public enum Method {
            LINEAR,
            LOCF
        }

        public Fill {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }
    }

    /** {@code $setWindowFields}: fields computed from a document's neighbours in its partition. */
    record WindowFields(Expression partition, SortPattern order, List<Output> outputs, BsonDocument source)
            implements Stage {
        /** A field and what it is given. */
        public record Output(FieldPath path, Computation computation) {}

        /** How a value is found. */
        public sealed interface Computation {}

        /** Which documents around the one at hand are looked at. */
        public sealed interface Window {}

        /** From so many before to so many behind it; the least and the greatest long for all. */
        record Documents(long lower, long upper) implements Window {
            static final Documents ALL = new Documents(Long.MIN_VALUE, Long.MAX_VALUE);
        }

        /**
         * Those whose place in the order is so far from its own.
         *
         * @param unit of time, for dates
         */
        record Range(Optional<BsonValue> lower, Optional<BsonValue> upper, Optional<String> unit) implements Window {
            boolean isBounded() {
                return lower.isPresent() || upper.isPresent();
            }
        }

        /** Accumulated over a window. */
        record Over(Accumulated accumulated, Window window) implements Computation {}

        /** {@code $derivative}. @param unitMillis the unit of time, for dates */
        record Slope(Expression input, Optional<Long> unitMillis, Window window) implements Computation {}

        /** {@code $integral}. @param unitMillis the unit of time, for dates */
        record Area(Expression input, Optional<Long> unitMillis, Window window) implements Computation {}

        /** {@code $covariancePop} and {@code $covarianceSamp}. */
        record Covariance(Expression one, Expression other, boolean sample, Window window) implements Computation {}

        /** {@code $expMovingAvg}. @param alpha the weight of the newest value */
        record MovingAverage(Expression input, BsonValue alpha) implements Computation {}

        /** {@code $linearFill} and {@code $locf}. */
        record Filled(Expression input, Fill.Method method) implements Computation {}

        record Rank(Kind kind) implements Computation {
            public enum Kind {
                RANK,
                DENSE_RANK,
                DOCUMENT_NUMBER
            }
        }

        /** The value of the document some places further, or a constant where there is none. */
        record Shift(Expression output, long by, BsonValue otherwise) implements Computation {}

        public WindowFields {
            outputs = List.copyOf(outputs);
        }
    }

    /** {@code $redact}: what each document and the documents in it are worth seeing. */
    record Redact(Expression decision, BsonValue source) implements Stage {}

    /** Two fields that are equal: {@code local} of the document at hand, {@code foreign} of the other collection. */
    record Equality(FieldPath local, FieldPath foreign) {}

    /**
     * {@code $lookup}.
     *
     * @param from the other collection; empty if the pipeline brings its documents
     * @param let variables for the pipeline, from each document
     * @param pipeline for the other collection's documents, as written
     * @param outer variables that the pipeline may use too
     */
    record Lookup(
            Optional<String> from,
            FieldPath as,
            Optional<Equality> equality,
            Map<String, Expression> let,
            List<RawDocument> pipeline,
            Variables outer,
            BsonDocument source)
            implements Stage {
        public Lookup {
            let = Map.copyOf(let);
            pipeline = List.copyOf(pipeline);
        }
    }

    /** {@code $unionWith}: then another collection's documents. */
    record UnionWith(Optional<String> from, List<RawDocument> pipeline, Variables outer, BsonValue source)
            implements Stage {
        public UnionWith {
            pipeline = List.copyOf(pipeline);
        }
    }

    /**
     * {@code $graphLookup}.
     *
     * @param depthMax steps beyond the first; negative for no bound
     * @param restriction what each document must match too
     */
    record GraphLookup(
            String from,
            Expression startWith,
            FieldPath connectFrom,
            FieldPath connectTo,
            FieldPath as,
            long depthMax,
            Optional<FieldPath> depthField,
            BsonDocument restriction,
            Variables outer,
            BsonDocument source)
            implements Stage {}

    /** Whether this reads a collection besides the one the pipeline runs over. */
    default boolean readsOthers() {
        return switch (this) {
            case Lookup _, UnionWith _, GraphLookup _ -> true;
            case Facet facet -> facet.pipelines.values().stream().anyMatch(Pipeline::readsOthers);
            default -> false;
        };
    }

    record Group(Expression id, List<Accumulated> fields, Part part, BsonDocument source) implements Stage {
        /** A whole group, or its halves: accumulate on each shard, then combine what they accumulated. */
        public enum Part {
            WHOLE,
            PARTIAL,
            COMBINE
        }

        public Group {
            fields = List.copyOf(fields);
        }

        Group as(Part other) {
            return new Group(id, fields, other, source);
        }
    }

    /** @param limit how many of the first are needed; 0 for all */
    record Sort(SortPattern by, long limit) implements Stage {}

    record Limit(long count) implements Stage {}

    record Skip(long count) implements Stage {}

    /** {@code $replaceRoot} and {@code $replaceWith}. */
    record ReplaceRoot(Expression newRoot, BsonValue source) implements Stage {}

    /** {@code $sample}: whole, or as halves of which the first gives each document its lot and the second draws. */
    record Sample(long count, Group.Part part) implements Stage {
        Sample as(Group.Part other) {
            return new Sample(count, other);
        }
    }

    /** A stage whose documents come from who runs the pipeline: {@code $collStats} and the like. Always first. */
    record FromOutside(String name, BsonValue source) implements Stage {}

    /**
     * {@code $geoNear}: documents by their distance from a point. Always first.
     *
     * @param key where documents have their place; empty for that of the one index that fits
     * @param multiplier of the distance that is told
     */
    record GeoNear(
            Near near,
            Filter query,
            FieldPath distanceField,
            Optional<FieldPath> includeLocs,
            Optional<FieldPath> key,
            double multiplier,
            BsonDocument source)
            implements Stage {
        GeoNear at(FieldPath path) {
            return new GeoNear(near, query, distanceField, includeLocs, Optional.of(path), multiplier, source);
        }
    }

    /** What documents tell beside what is in them is for who sends this, another process; the last of its half. */
    record Tell(Set<Metadata> metadata) implements Stage {
        static final String NAME = "$ostrakaTell";

        public Tell {
            metadata = Set.copyOf(metadata);
        }
    }

    /** From here on documents tell nothing beside what is in them. */
    record Untold() implements Stage {
        static final String NAME = "$ostrakaUntold";
    }

    /** {@code $documents}: they come with the request. Always first. */
    record Documents(Expression documents, BsonValue source) implements Stage {}

    /** {@code $out}: the documents become a collection of their own, in place of the one that was there. Always last. */
    record Out(Optional<String> database, String collection, BsonValue source) implements Stage {}

    /**
     * {@code $merge}: the documents are written into a collection. Always last.
     *
     * @param on the fields that say which document is meant; empty for the collection's own choice
     * @param let variables of the pipeline beside {@code new}
     * @param pipeline of {@link Matched#PIPELINE}, as written
     * @param outer variables that the pipeline may use too
     */
    record Merge(
            Optional<String> database,
            String collection,
            List<FieldPath> on,
            Map<String, Expression> let,
            Matched matched,
            NotMatched notMatched,
            BsonArray pipeline,
            Variables outer,
            BsonDocument source)
            implements Stage {
        /** What becomes of a document that is there. */
        public enum Matched {
            REPLACE("replace"),
            KEEP_EXISTING("keepExisting"),
            MERGE("merge"),
            FAIL("fail"),
            PIPELINE("pipeline");

            private final String word;

            Matched(String word) {
                this.word = word;
            }

            String word() {
                return word;
            }
        }

        /** What becomes of a document that is not there. */
        public enum NotMatched {
            INSERT,
            DISCARD,
            FAIL
        }

        public Merge {
            on = List.copyOf(on);
            let = Collections.unmodifiableMap(new LinkedHashMap<>(let));
        }
    }

    /** What it asks of documents beside what is in them; other collections' documents tell nothing. */
    default Set<Metadata> metadata() {
        return readsOthers() && !(this instanceof Facet) ? Set.of() : Metadata.named(toBson());
    }

    /** Whether it can be nothing but the first stage. */
    default boolean comesFirst() {
        return this instanceof FromOutside || this instanceof Documents || this instanceof GeoNear;
    }

    /** Whether it writes what it is given, and gives nothing itself. */
    default boolean writes() {
        return this instanceof Out || this instanceof Merge;
    }

    /** The stage as it is sent to another process. */
    default BsonDocument toBson() {
        return switch (this) {
            case Match match -> new BsonDocument("$match", match.source);
            case Project project -> new BsonDocument(project.name, project.source);
            case Unwind unwind -> {
                BsonDocument document = new BsonDocument("path", new BsonString("$" + unwind.path.text()));
                unwind.indexField.ifPresent(path -> document.put("includeArrayIndex", new BsonString(path.text())));
                document.put("preserveNullAndEmptyArrays", BsonBoolean.valueOf(unwind.keepsEmpty));
                yield new BsonDocument("$unwind", document);
            }
            case Group group -> {
                BsonDocument document = group.source.clone();
                if (group.part != Group.Part.WHOLE) {
                    document.put(PART, new BsonString(group.part.name()));
                }
                yield new BsonDocument("$group", document);
            }
            case Sort(var by, var limit) ->
                new BsonDocument("$sort", by.toDocument().toBson());
            case Limit(var count) -> new BsonDocument("$limit", new BsonInt64(count));
            case Skip(var count) -> new BsonDocument("$skip", new BsonInt64(count));
            case ReplaceRoot root -> new BsonDocument("$replaceRoot", new BsonDocument("newRoot", root.source));
            case Sample sample -> {
                BsonDocument document = new BsonDocument("size", new BsonInt64(sample.count));
                if (sample.part != Group.Part.WHOLE) {
                    document.put(PART, new BsonString(sample.part.name()));
                }
                yield new BsonDocument("$sample", document);
            }
            case FromOutside(var name, var source) -> new BsonDocument(name, source);
            case BucketAuto auto -> new BsonDocument("$bucketAuto", auto.source);
            case WindowFields fields -> new BsonDocument("$setWindowFields", fields.source);
            case Densify densify -> new BsonDocument("$densify", densify.source);
            case Facet facet -> new BsonDocument("$facet", facet.source);
            case Fill fill -> new BsonDocument("$fill", fill.source);
            case GraphLookup lookup -> new BsonDocument("$graphLookup", lookup.source);
            case Lookup lookup -> new BsonDocument("$lookup", lookup.source);
            case Redact redact -> new BsonDocument("$redact", redact.source);
            case UnionWith union -> new BsonDocument("$unionWith", union.source);
            case Documents documents -> new BsonDocument("$documents", documents.source);
            case GeoNear near -> new BsonDocument("$geoNear", near.source);
            case Tell(var metadata) ->
                new BsonDocument(
                        Tell.NAME,
                        new BsonArray(metadata.stream()
                                .map(each -> new BsonDocument("$meta", new BsonString(each.word())))
                                .toList()));
            case Untold() -> new BsonDocument(Untold.NAME, new BsonDocument());
            case Out out -> new BsonDocument("$out", out.source);
            case Merge merge -> new BsonDocument("$merge", merge.source);
        };
    }

    /** Stages as an array, for a request to another process. A sort's own limit is written as a stage. */
    static BsonArray toBson(List<Stage> stages) {
        BsonArray array = new BsonArray();
        for (Stage stage : stages) {
            array.add(stage.toBson());
            if (stage instanceof Sort(var unused, var limit) && limit > 0) {
                array.add(new Limit(limit).toBson());
            }
        }
        return array;
    }
}
