package io.ostraka.sharding.balancer;

import io.ostraka.core.placement.KeyRange;

/**
 * A range of keys that belongs to a zone: its chunks live on the zone's shards.
 *
 * @param name the zone
 */
public record Zone(KeyRange range, String name) {}
