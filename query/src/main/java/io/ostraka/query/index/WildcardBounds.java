package io.ostraka.query.index;

import io.ostraka.core.path.FieldPath;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterBounds;
import io.ostraka.query.filter.Interval;
import io.ostraka.query.filter.Intervals;
import io.ostraka.query.filter.ValueTest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;

/**
 * Where in a wildcard index documents that match a filter can be: for each path that the filter is about and that has
 * keys, the index looks like one on that path. It has no keys of missing fields, nor of whole documents.
 */
public final class WildcardBounds {
    /** The part of the keys that holds the path. */
    private static final FieldPath PATH = FieldPath.of("$_path");

    /**
     * One way to see the index.
     *
     * @param multikey bit i is set where part i of the keys may have arrays, or several keys of one document
     */
    public record Expanded(IndexBounds bounds, long multikey) {}

    private final IndexDefinition index;
    private final WildcardFields meant;
    private final int at;
    private final long multikey;
    private final int rangesMax;

    private WildcardBounds(IndexDefinition index, AccessMethod.Wildcard method, long multikey, int rangesMax) {
        this.index = index;
        this.multikey = multikey;
        this.rangesMax = rangesMax;
        int wildcard = 0;
        while (!index.fields().get(wildcard).isWildcard()) {
            wildcard++;
        }
        at = wildcard;
        meant = WildcardFields.of(index.fields().get(at).path(), method.projection());
    }

    /**
     * All ways to use a wildcard index for a filter; none where its keys do not have every document that may match.
     *
     * @param multikey of the index's own fields
     */
    public static List<Expanded> of(
            IndexDefinition index, AccessMethod.Wildcard method, Filter filter, long multikey, int rangesMax) {
        return new WildcardBounds(index, method, multikey, rangesMax).of(filter);
    }

    private List<Expanded> of(Filter filter) {
        List<Expanded> all = new ArrayList<>();
        Set<FieldPath> paths = new LinkedHashSet<>();
        collect(filter, paths);
        boolean single = (multikey >>> at & 1) == 0;
        for (FieldPath path : paths) {
            if (isUsable(path)) {
                Intervals values = FilterBounds.of(filter, path, single).intervals();
                if (!values.isAll() && holdsAll(values)) {
                    all.add(expanded(filter, path, Intervals.of(Interval.point(new BsonString(path.text()))), values));
                } else if (values.isAll() && meant.hasAllBelow(path) && asksToExist(filter, path)) {
                    all.add(expanded(filter, path, atAndBelow(path), Intervals.ALL));
                }
            }
        }
        if (all.isEmpty() && at > 0) {
            Expanded prefix = expanded(filter, index.fields().get(at).path(), Intervals.ALL, Intervals.ALL);
            if (prefix.bounds.bounded() > 0) {
                all.add(prefix);
            }
        }
        return all;
    }

    private boolean isUsable(FieldPath path) {
        for (int i = 0; i < path.length(); i++) {
            if (path.index(i) >= 0) {
                return false; // a position in an array, which paths of keys leave out, or a field's name
            }
        }
        return meant.has(path);
    }

    /** Whether each value of these intervals has a key where it is the value of a field. */
    private static boolean holdsAll(Intervals values) {
        return !values.contains(BsonNull.VALUE)
                && values.intersect(Intervals.of(Interval.upTo(new BsonDocument(), new BsonArray())))
                        .isNone();
    }

    private static boolean asksToExist(Filter filter, FieldPath path) {
        return switch (filter) {
            case Filter.And(var all) -> all.stream().anyMatch(part -> asksToExist(part, path));
            case Filter.Field(var where, var test) -> where.equals(path) && test instanceof ValueTest.Exists;
            default -> false;
        };
    }

    private static Intervals atAndBelow(FieldPath path) {
        return Intervals.union(List.of(
                Interval.point(new BsonString(path.text())),
                Interval.upTo(new BsonString(path.text() + "."), new BsonString(path.text() + "/"))));
    }

    private Expanded expanded(Filter filter, FieldPath path, Intervals paths, Intervals values) {
        List<IndexField> over = new ArrayList<>();
        List<Intervals> intervals = new ArrayList<>();
        long expanded = 0;
        for (int i = 0; i < index.fields().size(); i++) {
            IndexField field = index.fields().get(i);
            boolean arrays = (multikey >>> i & 1) == 1;
            if (i == at) {
                over.add(new IndexField(PATH, IndexField.Kind.ASCENDING));
                intervals.add(paths);
                expanded |= paths.isPoint() ? 0 : 1L << over.size() - 1; // a document has keys of several paths
                over.add(new IndexField(path, field.kind()));
                intervals.add(values);
            } else {
                over.add(field);
                intervals.add(FilterBounds.of(filter, field.path(), !arrays).intervals());
            }
            expanded |= arrays ? 1L << over.size() - 1 : 0;
        }
        return new Expanded(IndexBounds.of(over, intervals, rangesMax), expanded);
    }

    /** The paths that parts of a filter which all must hold are about. */
    private static void collect(Filter filter, Set<FieldPath> paths) {
        switch (filter) {
            case Filter.And(var all) -> all.forEach(part -> collect(part, paths));
            case Filter.Or(var any) -> any.forEach(part -> collect(part, paths));
            case Filter.Field(var path, ValueTest.ElementMatches(var inner)) -> {
                Set<FieldPath> below = new LinkedHashSet<>();
                collect(inner, below);
                below.forEach(each -> paths.add(path.then(each.text())));
            }
            case Filter.Field(var path, var unused) -> paths.add(path);
            case Filter.Nor _, Filter.Expr _, Filter.Schema _, Filter.Text _, Filter.Always _ -> {}
        }
    }
}
