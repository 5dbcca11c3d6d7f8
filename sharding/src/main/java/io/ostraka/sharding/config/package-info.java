/**
 * What makes a member a config server: commands over the cluster catalog, the loop that runs moves, the balancer.
 *
 * <p><b>Way through.</b> Routers forward the commands of users ({@code shardCollection}, {@code split}, {@code
 * moveChunk} ...) under their own names; shards send {@code _configsvr...} commands. Each is a class here, over
 * {@link io.ostraka.sharding.config.ConfigServices}.
 *
 * <p><b>Always.</b> Only processes of the cluster may send them.
 */
package io.ostraka.sharding.config;
