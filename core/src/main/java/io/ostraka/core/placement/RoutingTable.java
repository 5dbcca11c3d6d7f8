package io.ostraka.core.placement;

import io.ostraka.core.check.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Who owns which keys of one collection: immutable, and cheap to change, because a changed table shares all blocks of
 * chunks but the few that differ. A look-up is two binary searches over byte arrays.
 *
 * <p>Only lower ends are kept: a chunk ends where the next begins, so there can be neither a gap nor an overlap.
 */
public final class RoutingTable {
    /** Chunks in one block after it was made; a block of twice as many is cut. */
    static final int BLOCK = 1_000;

    /**
     * What holds for the whole collection.
     *
     * @param splittable false for a collection that is tracked only because it is not on its database's primary: to
     *     clients it is not sharded
     */
    public record Head(
            Namespace namespace, UUID uuid, ShardKey key, boolean unique, boolean splittable, Generation generation) {}

    private record Block(byte[][] mins, ShardId[] owners, long[] versions) {
        static Block of(List<Chunk> chunks) {
            byte[][] mins = new byte[chunks.size()][];
            ShardId[] owners = new ShardId[chunks.size()];
            long[] versions = new long[chunks.size()];
            for (int i = 0; i < mins.length; i++) {
                mins[i] = chunks.get(i).range().min();
                owners[i] = chunks.get(i).owner();
                versions[i] = chunks.get(i).version();
            }
            return new Block(mins, owners, versions);
        }

        int indexOf(byte[] key) {
            int low = 0;
            int high = mins.length - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                if (Arrays.compareUnsigned(mins[middle], key) <= 0) {
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            return high;
        }
    }

    private final Head head;
    private final Block[] blocks;
    private final Map<ShardId, Long> versions;
    private final Map<ShardId, Integer> counts;

    private RoutingTable(Head head, Block[] blocks, Map<ShardId, Long> versions, Map<ShardId, Integer> counts) {
        this.head = head;
        this.blocks = blocks;
        this.versions = Map.copyOf(versions);
        this.counts = Map.copyOf(counts);
        Check.that(blocks.length > 0 && blocks[0].mins.length > 0, "a sharded collection has a chunk");
        Check.that(Arrays.equals(blocks[0].mins[0], head.key.lowest()), "the first chunk starts at the smallest key");
    }

    /**
     * A table from all its chunks.
     *
     * @param chunks in any order; they must meet end to end from the smallest key to the largest
     */
    public static RoutingTable of(Head head, List<Chunk> chunks) {
        List<Chunk> sorted = new ArrayList<>(chunks);
        sorted.sort((a, b) -> a.range().compareTo(b.range()));
        for (int i = 1; i < sorted.size(); i++) {
            Check.that(
                    Arrays.equals(
                            sorted.get(i - 1).range().max(),
                            sorted.get(i).range().min()),
                    "chunks meet end to end");
        }
        Check.that(
                !sorted.isEmpty() && Arrays.equals(sorted.getLast().range().max(), head.key.highest()),
                "the last chunk ends at the largest key");
        Map<ShardId, Long> versions = new HashMap<>();
        Map<ShardId, Integer> counts = new HashMap<>();
        for (Chunk chunk : sorted) {
            versions.merge(chunk.owner(), chunk.version(), Math::max);
            counts.merge(chunk.owner(), 1, Integer::sum);
        }
        return new RoutingTable(head, cut(sorted).toArray(Block[]::new), versions, counts);
    }

    private static List<Block> cut(List<Chunk> sorted) {
        List<Block> blocks = new ArrayList<>();
        for (int from = 0; from < sorted.size(); from += BLOCK) {
            blocks.add(Block.of(sorted.subList(from, Math.min(sorted.size(), from + BLOCK))));
        }
        return blocks;
    }

    public Head head() {
        return head;
    }

    public Namespace namespace() {
        return head.namespace;
    }

    public ShardKey key() {
        return head.key;
    }

    public Generation generation() {
        return head.generation;
    }

    /** How many chunks there are in all. */
    public int size() {
        int size = 0;
        for (int count : counts.values()) {
            size += count;
        }
        return size;
    }

    /** The shards that own anything. */
    public Set<ShardId> shards() {
        return new TreeSet<>(counts.keySet());
    }

    /** How many chunks a shard owns. */
    public int chunksOf(ShardId shard) {
        return counts.getOrDefault(shard, 0);
    }

    /** The version requests to this shard carry; (generation, 0) where it owns nothing. */
    public PlacementVersion versionOf(ShardId shard) {
        return PlacementVersion.of(head.generation, chunksOf(shard) == 0 ? 0 : versions.get(shard));
    }

    /** The highest version of any chunk: what a refresh asks for changes since. */
    public PlacementVersion highest() {
        long highest = 0;
        for (long version : versions.values()) {
            highest = Math.max(highest, version);
        }
        return PlacementVersion.of(head.generation, highest);
    }

    private int blockOf(byte[] key) {
        int low = 0;
        int high = blocks.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (Arrays.compareUnsigned(blocks[middle].mins[0], key) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return Math.max(0, high);
    }

    /** Who owns a key. */
    public ShardId ownerOf(byte[] key) {
        Block block = blocks[blockOf(key)];
        return block.owners[Math.max(0, block.indexOf(key))];
    }

    /** The chunk that holds a key. */
    public Chunk chunkOf(byte[] key) {
        int at = blockOf(key);
        return chunk(at, Math.max(0, blocks[at].indexOf(key)));
    }

    private Chunk chunk(int block, int index) {
        Block b = blocks[block];
        byte[] max = index + 1 < b.mins.length
                ? b.mins[index + 1]
                : block + 1 < blocks.length ? blocks[block + 1].mins[0] : head.key.highest();
        return new Chunk(new KeyRange(b.mins[index], max), b.owners[index], b.versions[index]);
    }

    /** All chunks in order of keys. */
    public List<Chunk> chunks() {
        List<Chunk> all = new ArrayList<>(size());
        for (int block = 0; block < blocks.length; block++) {
            for (int i = 0; i < blocks[block].mins.length; i++) {
                all.add(chunk(block, i));
            }
        }
        return all;
    }

    /** The ranges one shard owns, joined. */
    public KeyRanges rangesOf(ShardId shard) {
        List<KeyRange> ranges = new ArrayList<>();
        for (Chunk chunk : chunks()) {
            if (chunk.owner().equals(shard)) {
                ranges.add(chunk.range());
            }
        }
        return KeyRanges.of(ranges);
    }

    /**
     * The owners of any key in a range.
     *
     * @param from lowest key, included
     * @param to highest key
     * @param toIncluded whether {@code to} itself counts
     */
    public Set<ShardId> ownersIn(byte[] from, byte[] to, boolean toIncluded) {
        Set<ShardId> owners = new TreeSet<>();
        int block = blockOf(from);
        int index = Math.max(0, blocks[block].indexOf(from));
        while (block < blocks.length) {
            for (; index < blocks[block].mins.length; index++) {
                int order = Arrays.compareUnsigned(blocks[block].mins[index], to);
                boolean first = owners.isEmpty();
                if (!first && (order > 0 || order == 0 && !toIncluded)) {
                    return owners;
                }
                owners.add(blocks[block].owners[index]);
                if (owners.size() == counts.size()) {
                    return owners;
                }
            }
            block++;
            index = 0;
        }
        return owners;
    }

    /**
     * This table after some chunks changed. What a changed chunk covers is taken from the chunks that had it.
     *
     * @param changed chunks of the same generation, in any order
     */
    public RoutingTable with(List<Chunk> changed) {
        RoutingTable table = this;
        List<Chunk> byVersion = new ArrayList<>(changed);
        byVersion.sort((a, b) -> Long.compare(a.version(), b.version()));
        for (Chunk chunk : byVersion) {
            table = table.with(chunk);
        }
        return table;
    }

    private RoutingTable with(Chunk changed) {
        byte[] min = changed.range().min();
        byte[] max = changed.range().max();
        int first = blockOf(min);
        int last = blockOf(max);
        List<Chunk> kept = new ArrayList<>();
        Map<ShardId, Integer> nowCounts = new HashMap<>(counts);
        for (int block = first; block <= last; block++) {
            for (int i = 0; i < blocks[block].mins.length; i++) {
                Chunk old = chunk(block, i);
                nowCounts.merge(old.owner(), -1, Integer::sum);
                if (!old.range().overlaps(changed.range())) {
                    kept.add(old);
                    continue;
                }
                if (Arrays.compareUnsigned(old.range().min(), min) < 0) {
                    kept.add(new Chunk(new KeyRange(old.range().min(), min), old.owner(), old.version()));
                }
                if (Arrays.compareUnsigned(max, old.range().max()) < 0) {
                    kept.add(new Chunk(new KeyRange(max, old.range().max()), old.owner(), old.version()));
                }
            }
        }
        kept.add(changed);
        kept.sort((a, b) -> a.range().compareTo(b.range()));
        for (Chunk chunk : kept) {
            nowCounts.merge(chunk.owner(), 1, Integer::sum);
        }
        nowCounts.values().removeIf(count -> count == 0);
        Map<ShardId, Long> nowVersions = new HashMap<>(versions);
        nowVersions.merge(changed.owner(), changed.version(), Math::max);
        nowVersions.keySet().retainAll(nowCounts.keySet());

        List<Block> now = new ArrayList<>(Arrays.asList(blocks).subList(0, first));
        now.addAll(kept.size() > 2 * BLOCK ? cut(kept) : List.of(Block.of(kept)));
        now.addAll(Arrays.asList(blocks).subList(last + 1, blocks.length));
        return new RoutingTable(head, now.toArray(Block[]::new), nowVersions, nowCounts);
    }
}
