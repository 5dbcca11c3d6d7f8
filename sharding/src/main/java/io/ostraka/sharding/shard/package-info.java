/**
 * What makes a member a shard: knowing what it owns, and refusing what was sent under another placement.
 *
 * <p><b>Way through.</b> {@link io.ostraka.sharding.shard.ShardGuard} compares the version of a request with the
 * ownership in the catalog, and asks {@link io.ostraka.sharding.shard.PlacementRefresher} to fetch the placement from
 * the config servers when the request knows more. {@link io.ostraka.sharding.shard.Splitter} counts what is written
 * into chunks and splits those that outgrow the chunk size. {@link io.ostraka.sharding.shard.RangeDeleter} cleans up
 * what moves leave behind.
 *
 * <p><b>What is stored.</b> {@code admin.system.version}, {@code _id: "shardIdentity"}: which shard of which cluster.
 * {@code config.donations}, {@code config.receipts}: moves under way, see {@code sharding.mover}.
 * {@code config.rangeDeletions}: ranges to clean up.
 *
 * <p><b>Always.</b> Ownership, the counters of unowned documents, and the states of moves change in one proposal. A
 * refresh that fails is an error, never a guess.
 */
package io.ostraka.sharding.shard;
