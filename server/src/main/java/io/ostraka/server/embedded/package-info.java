/**
 * A whole cluster in one JVM.
 *
 * <p><b>Way through.</b> {@link io.ostraka.server.embedded.EmbeddedCluster#start} opens a config set, shards and routers as
 * they would run apart, joins them, and returns when a write through a router has succeeded.
 *
 * <p><b>What is stored.</b> In the data folder {@code cluster.properties} (format, key of the cluster, number of shards),
 * {@code config/} and {@code shard<n>/}. Addresses are not: they are told to the cluster at each start, so a folder can be
 * moved and ports can change.
 *
 * <p><b>Always.</b> {@code close} leaves no thread, port, file or native memory; nothing global is registered.
 */
package io.ostraka.server.embedded;
