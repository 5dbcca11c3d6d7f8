package io.ostraka.query.geo;

import com.google.common.geometry.S1Angle;
import com.google.common.geometry.S2Cap;
import com.google.common.geometry.S2CellId;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Region;
import com.google.common.geometry.S2RegionCoverer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The cells of the sphere in keys of indexes: a point's smallest cell, and cells that cover a line or a polygon. A cell is
 * its number with the first bit turned, so that signed numbers sort as cells do.
 */
public final class SphereCells {
    /** Most cells of one line or polygon, in an index or in a question. */
    private static final int CELLS_MAX = 20;

    /** The smallest cells of lines and polygons, about a metre wide. */
    private static final int FINEST_LEVEL = 23;

    private static final S2RegionCoverer COVERER = S2RegionCoverer.builder()
            .setMaxCells(CELLS_MAX)
            .setMaxLevel(FINEST_LEVEL)
            .build();

    private SphereCells() {}

    /** The keys of a geometry, each once. */
    public static Set<Long> keys(Geometry geometry) {
        Set<Long> keys = new LinkedHashSet<>();
        geometry.points()
                .forEach(point -> keys.add(key(S2CellId.fromPoint(point).id())));
        List<S2Region> regions = new ArrayList<>(geometry.lines());
        regions.addAll(geometry.polygons());
        for (S2Region region : regions) {
            COVERER.getCovering(region).cellIds().forEach(cell -> keys.add(key(cell.id())));
        }
        return keys;
    }

    private static long key(long cell) {
        return cell ^ Long.MIN_VALUE;
    }

    /** Where the keys of all that meets some of these regions are, in any order. */
    public static List<CellRange> of(List<? extends S2Region> regions) {
        List<CellRange> all = new ArrayList<>();
        for (S2Region region : regions) {
            for (S2CellId cell : COVERER.getCovering(region).cellIds()) {
                add(cell, all);
            }
        }
        return all;
    }

    /** Where the keys of all that meets a geometry are, in any order. */
    public static List<CellRange> of(Geometry geometry) {
        List<S2Region> regions = new ArrayList<>(geometry.lines());
        regions.addAll(geometry.polygons());
        // A point at the border of a cell is as well in the next one.
        geometry.points().forEach(point -> regions.add(around(point)));
        geometry.lines().forEach(line -> line.vertices().forEach(vertex -> regions.add(around(vertex))));
        List<CellRange> all = of(regions);
        geometry.points().forEach(point -> add(S2CellId.fromPoint(point), all));
        return all;
    }

    private static S2Region around(S2Point point) {
        return S2Cap.fromAxisAngle(point, S1Angle.radians(2 * Geometry.SAME_PLACE));
    }

    /** What is within a cell, and the cells it is within. */
    private static void add(S2CellId cell, List<CellRange> all) {
        all.add(new CellRange(key(cell.rangeMin().id()), key(cell.rangeMax().id())));
        for (int level = cell.level() - 1; level >= 0; level--) {
            long above = key(cell.parent(level).id());
            all.add(new CellRange(above, above));
        }
    }
}
