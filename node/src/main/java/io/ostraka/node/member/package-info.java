/**
 * One member of a replica set, as the rest of the program sees it.
 *
 * <p><b>Way through.</b> {@link io.ostraka.node.member.Member} opens a data folder and puts the parts together: the store,
 * the applier, the replica group, the views, the writer, and the commands that use them. On a shard a
 * {@link io.ostraka.node.placement.PlacementGuard} says what may run here.
 *
 * <p><b>Always.</b> Parts are opened in the order store, applier, group, and closed in the reverse one.
 *
 * <p><b>Not here.</b> Sharding: a member is complete without it.
 */
package io.ostraka.node.member;
