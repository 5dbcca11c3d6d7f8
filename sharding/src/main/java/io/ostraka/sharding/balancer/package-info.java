/**
 * Which chunks should move where.
 *
 * <p><b>Way through.</b> {@link io.ostraka.sharding.balancer.BalancerPolicy} turns a
 * {@link io.ostraka.sharding.balancer.ClusterState} into moves; the loop on the config servers' leader gathers the
 * state, and executes them.
 *
 * <p><b>Always.</b> The policy is a pure function. It never names a shard twice as donor or twice as recipient, and
 * each move for balance makes the difference between its two shards smaller, so repeating it comes to rest.
 */
package io.ostraka.sharding.balancer;
