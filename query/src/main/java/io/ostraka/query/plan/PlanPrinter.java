package io.ostraka.query.plan;

import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterPrinter;
import io.ostraka.query.index.AccessMethod;
import io.ostraka.query.index.IndexBounds;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.index.IndexField;
import io.ostraka.query.projection.Projection;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Shows plans: as explain's document with MongoDB's stage names, and as a short tree for tests. */
public final class PlanPrinter {
    private PlanPrinter() {}

    /** The name explain gives a node. */
    public static String stage(PlanNode node) {
        return switch (node) {
            case PlanNode.Eof _ -> "EOF";
            case PlanNode.CollectionScan _ -> "COLLSCAN";
            case PlanNode.IndexScan _ -> "IXSCAN";
            case PlanNode.IdLookup _ -> "EXPRESS_IXSCAN";
            case PlanNode.GeoNear near ->
                near.index().method() instanceof AccessMethod.Sphere ? "GEO_NEAR_2DSPHERE" : "GEO_NEAR_2D";
            case PlanNode.DistinctScan _ -> "DISTINCT_SCAN";
            case PlanNode.TextMatch _ -> "TEXT_MATCH";
            case PlanNode.Fetch _ -> "FETCH";
            case PlanNode.ShardingFilter _ -> "SHARDING_FILTER";
            case PlanNode.Or _ -> "OR";
            case PlanNode.SortMerge _ -> "SORT_MERGE";
            case PlanNode.Sort _ -> "SORT";
            case PlanNode.Skip _ -> "SKIP";
            case PlanNode.Limit _ -> "LIMIT";
            case PlanNode.Project project -> project(project);
            case PlanNode.Count _ -> "COUNT";
        };
    }

    private static String project(PlanNode.Project project) {
        if (project.covered()) {
            return "PROJECTION_COVERED";
        }
        return project.projection().isSimple() ? "PROJECTION_SIMPLE" : "PROJECTION_DEFAULT";
    }

    /** {@code winningPlan}. */
    public static BsonDocument explain(PlanNode node) {
        BsonDocument document = own(node);
        List<PlanNode> children = node.children();
        if (children.size() == 1) {
            document.put("inputStage", below(node, explain(children.getFirst())));
        } else if (children.size() > 1) {
            document.put(
                    "inputStages",
                    new BsonArray(children.stream().map(PlanPrinter::explain).toList()));
        }
        return document;
    }

    /** An index scan of which only the number of entries matters has a name of its own. */
    public static BsonDocument below(PlanNode node, BsonDocument child) {
        if (node instanceof PlanNode.Count(var input) && input instanceof PlanNode.IndexScan) {
            child.put("stage", new BsonString("COUNT_SCAN"));
        }
        return child;
    }

    /** A node's own fields, without its inputs. */
    public static BsonDocument own(PlanNode node) {
        BsonDocument document = new BsonDocument("stage", new BsonString(stage(node)));
        switch (node) {
            case PlanNode.CollectionScan(var filter, var backwards) -> {
                filter(document, filter);
                direction(document, backwards);
            }
            case PlanNode.IndexScan scan ->
                index(document, scan.index(), scan.bounds(), scan.backwards(), scan.multikey());
            case PlanNode.IdLookup(var index, var bounds) -> index(document, index, bounds, false, 0);
            case PlanNode.DistinctScan scan -> index(document, scan.index(), scan.bounds(), false, 0);
            case PlanNode.TextMatch match -> {
                document.put("parsedTextQuery", match.text().source());
                filter(document, match.filter());
            }
            case PlanNode.GeoNear near -> {
                document.put("keyPattern", near.index().keyPattern().toBson());
                document.put("indexName", new BsonString(near.index().name()));
                filter(document, near.filter());
            }
            case PlanNode.Fetch(var unused, var filter) -> filter(document, filter);
            case PlanNode.SortMerge(var unused, var by) ->
                document.put("sortPattern", by.toDocument().toBson());
            case PlanNode.Sort(var unused, var by, var limit) -> {
                document.put("sortPattern", by.toDocument().toBson());
                if (limit > 0) {
                    document.put("limitAmount", new BsonInt64(limit));
                }
                document.put("type", new BsonString("simple"));
            }
            case PlanNode.Skip(var unused, var count) -> document.put("skipAmount", new BsonInt64(count));
            case PlanNode.Limit(var unused, var count) -> document.put("limitAmount", new BsonInt64(count));
            case PlanNode.Project(var unused, Projection projection, var unused2, var unused3, var unused4) ->
                document.put("transformBy", projection.source());
            case PlanNode.Eof _, PlanNode.ShardingFilter _, PlanNode.Or _, PlanNode.Count _ -> {}
        }
        return document;
    }

    private static void filter(BsonDocument document, Filter filter) {
        if (!filter.isEverything()) {
            document.put("filter", FilterPrinter.print(filter));
        }
    }

    private static void direction(BsonDocument document, boolean backwards) {
        document.put("direction", new BsonString(backwards ? "backward" : "forward"));
    }

    private static void index(
            BsonDocument document, IndexDefinition index, IndexBounds bounds, boolean backwards, long multikey) {
        document.put("keyPattern", pattern(index, bounds));
        document.put("indexName", new BsonString(index.name()));
        document.put("isMultiKey", BsonBoolean.valueOf(multikey != 0));
        BsonDocument paths = new BsonDocument();
        List<IndexField> fields = bounds.over();
        for (int i = 0; i < fields.size(); i++) {
            String path = fields.get(i).path().text();
            BsonArray where = new BsonArray();
            if ((multikey >>> i & 1) == 1) {
                where.add(new BsonString(path));
            }
            paths.put(path, where);
        }
        document.put("multiKeyPaths", paths);
        document.put("isUnique", BsonBoolean.valueOf(index.unique() || index.isId()));
        document.put("isSparse", BsonBoolean.valueOf(index.sparse()));
        document.put("isPartial", BsonBoolean.valueOf(index.partialFilter().isPresent()));
        direction(document, backwards);
        BsonDocument shown = new BsonDocument();
        for (int i = 0; i < fields.size(); i++) {
            List<BsonValue> intervals = bounds.fields().get(i).list().stream()
                    .map(interval -> (BsonValue) new BsonString(interval.toString()))
                    .toList();
            shown.put(fields.get(i).path().text(), new BsonArray(intervals));
        }
        document.put("indexBounds", shown);
    }

    /** The fields of the keys as they are used: a wildcard as the path and the field that is meant. */
    private static BsonDocument pattern(IndexDefinition index, IndexBounds bounds) {
        if (!(index.method() instanceof AccessMethod.Wildcard)) {
            return index.keyPattern().toBson();
        }
        BsonDocument pattern = new BsonDocument();
        bounds.over().forEach(field -> pattern.put(field.path().text(), new BsonInt32(field.isDescending() ? -1 : 1)));
        return pattern;
    }

    /** Which plan it is, whatever the values are that are asked for: its nodes and indexes. */
    public static String form(PlanNode node) {
        String index = switch (node) {
            case PlanNode.IndexScan scan ->
                " " + scan.index().name() + (scan.backwards() ? " backward " : " ")
                        + scan.bounds().over();
            case PlanNode.IdLookup lookup -> " " + lookup.index().name();
            case PlanNode.GeoNear near -> " " + near.index().name();
            default -> "";
        };
        return stage(node)
                + index
                + node.children().stream().map(PlanPrinter::form).toList();
    }

    /** One line a node, leaves last: {@code FETCH filter=…} and below it, indented, {@code IXSCAN a_1 a: [1, 1]}. */
    public static String tree(PlanNode node) {
        StringBuilder text = new StringBuilder();
        tree(node, "", text);
        return text.toString();
    }

    private static void tree(PlanNode node, String indent, StringBuilder text) {
        text.append(indent).append(stage(node));
        switch (node) {
            case PlanNode.CollectionScan(var filter, var backwards) -> {
                text.append(backwards ? " backward" : "");
                text.append(
                        filter.isEverything()
                                ? ""
                                : " " + FilterPrinter.print(filter).toJson());
            }
            case PlanNode.IndexScan scan ->
                text.append(scan.backwards() ? " backward" : "").append(bounds(scan.index(), scan.bounds()));
            case PlanNode.IdLookup(var index, var bounds) -> text.append(bounds(index, bounds));
            case PlanNode.DistinctScan scan -> text.append(bounds(scan.index(), scan.bounds()));
            case PlanNode.TextMatch match ->
                text.append(' ')
                        .append(FilterPrinter.print(match.text()).toJson())
                        .append(
                                match.filter().isEverything()
                                        ? ""
                                        : " "
                                                + FilterPrinter.print(match.filter())
                                                        .toJson());
            case PlanNode.GeoNear near ->
                text.append(' ')
                        .append(near.index().name())
                        .append(' ')
                        .append(FilterPrinter.print(near.filter()).toJson());
            case PlanNode.Fetch(var unused, var filter) ->
                text.append(
                        filter.isEverything()
                                ? ""
                                : " " + FilterPrinter.print(filter).toJson());
            case PlanNode.SortMerge(var unused, var by) -> text.append(' ').append(by.toDocument());
            case PlanNode.Sort(var unused, var by, var limit) ->
                text.append(' ').append(by.toDocument()).append(limit > 0 ? " limit " + limit : "");
            case PlanNode.Skip(var unused, var count) -> text.append(' ').append(count);
            case PlanNode.Limit(var unused, var count) -> text.append(' ').append(count);
            case PlanNode.Project(var unused, var projection, var unused2, var unused3, var unused4) ->
                text.append(' ').append(projection.source().toJson());
            case PlanNode.Eof _, PlanNode.ShardingFilter _, PlanNode.Or _, PlanNode.Count _ -> {}
        }
        text.append('\n');
        node.children().forEach(child -> tree(child, indent + "  ", text));
    }

    private static String bounds(IndexDefinition index, IndexBounds bounds) {
        StringBuilder text = new StringBuilder(" ").append(index.name());
        for (int i = 0; i < bounds.over().size(); i++) {
            text.append(' ')
                    .append(bounds.over().get(i).path().text())
                    .append(": ")
                    .append(bounds.fields().get(i).list());
        }
        return text.toString();
    }
}
