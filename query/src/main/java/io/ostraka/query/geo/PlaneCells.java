package io.ostraka.query.geo;

import com.google.common.geometry.S2LatLngRect;
import com.google.common.geometry.S2Region;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The cells of a square of the plane, in keys of indexes: the bits of both coordinates in turn, those of the first before,
 * so that what is close is mostly close in the index. As a number the first bit is turned, as signed numbers sort.
 *
 * @param bits of each coordinate
 * @param min of each coordinate
 * @param max of each coordinate, itself outside
 */
public record PlaneCells(int bits, double min, double max) {
    /** Most ranges of keys that a box is looked for in. */
    private static final int RANGES_MAX = 64;

    /** How far a coordinate of the sphere may be off when it has been turned into a rectangle, in degrees. */
    private static final double MARGIN = 1e-9;

    public boolean has(Geometry.Flat at) {
        return at.x() >= min && at.x() < max && at.y() >= min && at.y() < max;
    }

    /** The key of a point within. */
    public long key(Geometry.Flat at) {
        return signed(interleaved(cell(at.x()), cell(at.y())));
    }

    private long signed(long key) {
        return key << 64 - 2 * bits ^ Long.MIN_VALUE;
    }

    private long cell(double coordinate) {
        long cells = 1L << bits;
        long cell = (long) ((coordinate - min) / (max - min) * cells);
        return Math.max(0, Math.min(cells - 1, cell));
    }

    /** The bits of a number below those of a key. */
    private long openBits() {
        return bits == 32 ? 0 : -1L >>> 2 * bits;
    }

    private static long interleaved(long x, long y) {
        return spread(x) << 1 | spread(y);
    }

    /** Puts a zero before every one of the lower 32 bits. */
    private static long spread(long bits) {
        long spread = bits;
        spread = (spread | spread << 16) & 0x0000FFFF0000FFFFL;
        spread = (spread | spread << 8) & 0x00FF00FF00FF00FFL;
        spread = (spread | spread << 4) & 0x0F0F0F0F0F0F0F0FL;
        spread = (spread | spread << 2) & 0x3333333333333333L;
        return (spread | spread << 1) & 0x5555555555555555L;
    }

    /** A square of cells: its corner, and how many bits of each coordinate are open. */
    private record Square(long x, long y, int open) {
        boolean isWithin(long xLow, long yLow, long xHigh, long yHigh) {
            long last = (1L << open) - 1;
            return x >= xLow && x + last <= xHigh && y >= yLow && y + last <= yHigh;
        }

        boolean meets(long xLow, long yLow, long xHigh, long yHigh) {
            long last = (1L << open) - 1;
            return x <= xHigh && x + last >= xLow && y <= yHigh && y + last >= yLow;
        }
    }

    /** Where the keys of points in an area are, in any order. */
    public List<CellRange> of(Area area) {
        List<CellRange> all = new ArrayList<>();
        area.boxes().forEach(box -> add(box, all));
        return all;
    }

    /** The distance from a point beyond which no point with a key is. */
    double farthest(Geometry.Flat from) {
        double x = Math.max(Math.abs(from.x() - min), Math.abs(max - from.x()));
        double y = Math.max(Math.abs(from.y() - min), Math.abs(max - from.y()));
        return Math.hypot(x, y);
    }

    /** Halves the largest square that is not wholly within, until there are enough. */
    private void add(Area.Box box, List<CellRange> all) {
        long xLow = cell(box.xMin());
        long yLow = cell(box.yMin());
        long xHigh = cell(box.xMax());
        long yHigh = cell(box.yMax());
        PriorityQueue<Square> open =
                new PriorityQueue<>(Comparator.comparingInt(Square::open).reversed());
        List<Square> found = new ArrayList<>();
        open.add(new Square(0, 0, bits));
        while (!open.isEmpty() && open.size() + found.size() < RANGES_MAX) {
            Square square = open.poll();
            if (square.open == 0 || square.isWithin(xLow, yLow, xHigh, yHigh)) {
                found.add(square);
                continue;
            }
            int half = square.open - 1;
            for (long x = 0; x < 2; x++) {
                for (long y = 0; y < 2; y++) {
                    Square part = new Square(square.x + (x << half), square.y + (y << half), half);
                    if (part.meets(xLow, yLow, xHigh, yHigh)) {
                        open.add(part);
                    }
                }
            }
        }
        found.addAll(open);
        for (Square square : found) {
            long first = interleaved(square.x, square.y);
            long last = square.open == 32 ? -1 : first | (1L << 2 * square.open) - 1;
            all.add(new CellRange(signed(first), signed(last) | openBits()));
        }
    }

    /** The longitudes and latitudes of a part of the sphere. */
    static List<Area.Box> boxes(S2Region region) {
        S2LatLngRect rect = region.getRectBound();
        double south = rect.latLo().degrees() - MARGIN;
        double north = rect.latHi().degrees() + MARGIN;
        double west = rect.lngLo().degrees() - MARGIN;
        double east = rect.lngHi().degrees() + MARGIN;
        // One that goes over the 180th degree is one on each side of it.
        return rect.lng().isInverted()
                ? List.of(new Area.Box(west, south, 180, north), new Area.Box(-180, south, east, north))
                : List.of(new Area.Box(west, south, east, north));
    }
}
