/**
 * Commands as a table, and what runs them.
 *
 * <p><b>Way through.</b> {@link io.ostraka.wire.command.Dispatcher} finds the
 * {@link io.ostraka.wire.command.Command} in a {@link io.ostraka.wire.command.CommandTable}, checks its
 * {@link io.ostraka.wire.command.Needs}, makes an {@link io.ostraka.wire.command.Operation} and hands the
 * {@link io.ostraka.wire.command.Fields} to the command.
 *
 * <p><b>Always.</b> What a command throws becomes a reply; no request ends a connection or the process. A field nobody
 * asked for is refused.
 *
 * <p><b>Not here.</b> Bytes and sockets: {@code wire.server}. What commands do: {@code node}, {@code router}.
 */
package io.ostraka.wire.command;
