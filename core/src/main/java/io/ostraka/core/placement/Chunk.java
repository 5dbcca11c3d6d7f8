package io.ostraka.core.placement;

/**
 * A range of keys and its owner.
 *
 * @param range which keys
 * @param owner the shard whose documents count
 * @param version major and minor of the chunk's last change, as {@link PlacementVersion#asLong}; the generation is the collection's
 */
public record Chunk(KeyRange range, ShardId owner, long version) {}
