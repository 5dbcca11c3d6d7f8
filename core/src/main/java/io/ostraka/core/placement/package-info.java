/**
 * Where documents live: names, shard keys, ranges of keys, and who owns them.
 *
 * <p><b>Way through.</b> A {@link io.ostraka.core.placement.ShardKey} turns a document into key bytes (a KeyString).
 * A {@link io.ostraka.core.placement.RoutingTable} says which {@link io.ostraka.core.placement.ShardId} owns those
 * bytes in the whole cluster; an {@link io.ostraka.core.placement.Ownership} says which of them one shard owns.
 *
 * <p><b>Always.</b> Everything here is immutable. Ranges include their lower end and exclude their upper. The chunks
 * of a routing table meet end to end from the smallest key to the largest: a key has exactly one owner.
 * {@link io.ostraka.core.placement.PlacementVersion}s belong to one shard's part of a collection.
 *
 * <p><b>Not here.</b> Changing placement is the config servers' work ({@code sharding}); remembering it is the
 * router's.
 */
package io.ostraka.core.placement;
