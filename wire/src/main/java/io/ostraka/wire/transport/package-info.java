/**
 * Frames between processes: over sockets, or inside one JVM without them.
 *
 * <p><b>Way through.</b> A {@link io.ostraka.wire.transport.Transport} connects, an
 * {@link io.ostraka.wire.transport.Acceptor} accepts, both give a {@link io.ostraka.wire.transport.Link} that carries
 * whole frames.
 *
 * <p><b>Always.</b> A frame's length is checked before memory is given to it, and memory grows only with the bytes
 * that arrive. Whoever waits is woken by {@code close}.
 *
 * <p><b>Not here.</b> What is in a frame: {@code wire.message}.
 */
package io.ostraka.wire.transport;
