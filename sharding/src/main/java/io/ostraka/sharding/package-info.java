/**
 * What makes a member a shard or a config server.
 *
 * <p><b>Way through.</b> {@link io.ostraka.sharding.ShardServer} puts a shard together, {@code
 * sharding.config.ConfigServer} a config server. Who owns what is decided in {@code sharding.catalog}, carried out by
 * {@code sharding.ddl} and {@code sharding.mover}, and obeyed in {@code sharding.shard}.
 */
package io.ostraka.sharding;
