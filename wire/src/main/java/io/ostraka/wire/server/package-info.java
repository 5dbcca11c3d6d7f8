/**
 * The accepting side: connections and their threads.
 *
 * <p><b>Way through.</b> {@link io.ostraka.wire.server.WireServer} accepts and gives each connection a virtual thread;
 * {@code ServerConnection} reads frames, has the {@link io.ostraka.wire.server.RequestHandler} answer them, and writes.
 *
 * <p><b>Always.</b> Whatever bytes arrive, the worst that happens is that their connection is closed. Only a connection
 * whose other end has proved to have the cluster's key is {@code ofCluster}.
 *
 * <p><b>Not here.</b> Commands: {@code wire.command}. Sockets: {@code wire.transport}.
 */
package io.ostraka.wire.server;
