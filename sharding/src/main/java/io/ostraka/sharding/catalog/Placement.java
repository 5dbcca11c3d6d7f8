package io.ostraka.sharding.catalog;

import io.ostraka.core.placement.Chunk;
import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.PlacementVersion;
import io.ostraka.core.placement.RoutingTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/**
 * One collection's placement as the catalog holds it in memory: its row, its chunks' rows by lower end, and the same
 * as a routing table. Immutable.
 */
final class Placement {
    private final CollectionRow row;
    private final TreeMap<byte[], ChunkRow> chunks;
    private final RoutingTable table;

    private Placement(CollectionRow row, TreeMap<byte[], ChunkRow> chunks, RoutingTable table) {
        this.row = row;
        this.chunks = chunks;
        this.table = table;
    }

    static Placement of(CollectionRow row, Collection<ChunkRow> rows) {
        TreeMap<byte[], ChunkRow> chunks = new TreeMap<>(Arrays::compareUnsigned);
        List<Chunk> plain = new ArrayList<>();
        for (ChunkRow chunk : rows) {
            chunks.put(chunk.range().min(), chunk);
            plain.add(chunk.toChunk());
        }
        RoutingTable.Head head = new RoutingTable.Head(
                row.namespace(), row.uuid(), row.key(), row.unique(), !row.isUnsplittable(), row.generation());
        return new Placement(row, chunks, RoutingTable.of(head, plain));
    }

    CollectionRow row() {
        return row;
    }

    RoutingTable table() {
        return table;
    }

    Generation generation() {
        return row.generation();
    }

    Collection<ChunkRow> rows() {
        return chunks.values();
    }

    /** The row of the chunk that holds a key. */
    ChunkRow at(byte[] key) {
        return chunks.floorEntry(key).getValue();
    }

    /** The rows of the chunks that hold any key of a range, in order. */
    List<ChunkRow> in(KeyRange range) {
        byte[] from = chunks.floorKey(range.min());
        return new ArrayList<>(chunks.subMap(from, true, range.max(), false).values());
    }

    /** This with some rows gone and others in their place. */
    Placement with(Collection<ChunkRow> gone, Collection<ChunkRow> come) {
        TreeMap<byte[], ChunkRow> now = new TreeMap<>(chunks);
        gone.forEach(chunk -> now.remove(chunk.range().min()));
        come.forEach(chunk -> now.put(chunk.range().min(), chunk));
        List<Chunk> changed = come.stream().map(ChunkRow::toChunk).toList();
        return new Placement(row, now, table.with(changed));
    }

    /** This under a changed row of the same generation. */
    Placement with(CollectionRow newRow) {
        return new Placement(newRow, chunks, table);
    }

    /** The first version of the next major: what a move gives. */
    long nextMajor() {
        return (long) (table.highest().major() + 1) << 32;
    }

    PlacementVersion highest() {
        return table.highest();
    }
}
