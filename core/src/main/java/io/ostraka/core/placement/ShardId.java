package io.ostraka.core.placement;

/**
 * A shard's name in the cluster.
 *
 * @param name as in {@code config.shards._id}
 */
public record ShardId(String name) implements Comparable<ShardId> {
    /** The config servers, where they are spoken of as a place for data. */
    public static final ShardId CONFIG = new ShardId("config");

    @Override
    public int compareTo(ShardId other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
