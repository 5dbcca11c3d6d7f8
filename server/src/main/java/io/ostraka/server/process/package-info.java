/**
 * Processes, put together from the other modules: members of sets and routers.
 *
 * <p><b>Way through.</b> {@link io.ostraka.server.process.MemberProcess} is a {@code mongod}: alone, a shard or a config
 * server. {@link io.ostraka.server.process.RouterProcess} is a {@code mongos}. What both have in common is in
 * {@link io.ostraka.server.process.Foundation}.
 *
 * <p><b>Always.</b> Parts close in the reverse order of their opening; after that no thread, port or file is left. Nothing
 * is registered with the JVM.
 */
package io.ostraka.server.process;
