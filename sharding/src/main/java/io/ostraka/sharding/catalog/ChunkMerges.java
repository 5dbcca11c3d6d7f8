package io.ostraka.sharding.catalog;

import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Merges of all chunks that can be merged. */
public final class ChunkMerges {
    private final ClusterCatalog catalog;
    private final ChunkSplits splits;

    public ChunkMerges(ClusterCatalog catalog, ChunkSplits splits) {
        this.catalog = catalog;
        this.splits = splits;
    }

    /**
     * Merges each run of neighbours that a shard owns. Jumbo chunks stay as they are.
     *
     * @param most chunks merged at the most
     * @param edges bounds that must stay: edges of zones, as key bytes
     * @return how many chunks have gone
     * @throws io.ostraka.core.error.CommandException 118 NamespaceNotSharded
     */
    public int mergeAll(Namespace namespace, ShardId shard, long most, List<byte[]> edges) {
        catalog.require(namespace);
        int gone = 0;
        List<ChunkRow> run = new ArrayList<>();
        List<ChunkRow> all = new ArrayList<>(catalog.chunks(namespace));
        for (int i = 0; i <= all.size(); i++) {
            ChunkRow next = i < all.size() ? all.get(i) : null;
            boolean joins = next != null
                    && next.shard().equals(shard)
                    && !next.jumbo()
                    && (run.isEmpty()
                            || edges.stream()
                                    .noneMatch(edge ->
                                            Arrays.equals(edge, next.range().min())))
                    && gone + run.size() < most;
            if (joins) {
                run.add(next);
                continue;
            }
            if (run.size() > 1) {
                ChunkRow unused = splits.merge(
                        namespace, run.getFirst().min(), run.getLast().max());
                gone += run.size() - 1;
            }
            run.clear();
            if (next != null && next.shard().equals(shard) && !next.jumbo()) {
                run.add(next);
            }
        }
        return gone;
    }
}
