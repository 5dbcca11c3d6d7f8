/**
 * What a member asks of whoever knows the cluster's placement.
 *
 * <p><b>Way through.</b> Commands and writers call the {@link io.ostraka.node.placement.PlacementGuard} they were given;
 * a shard's is in the module sharding, everybody else's lets all pass.
 *
 * <p><b>Not here.</b> What is owned: that is in the catalog entry of the collection.
 */
package io.ostraka.node.placement;
