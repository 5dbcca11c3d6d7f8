/**
 * The commands of one member, one file each.
 *
 * <p><b>Way through.</b> {@link io.ostraka.node.command.NodeCommands} is the table. A command parses its request record
 * ({@code wire.request}), takes a View through {@link io.ostraka.node.command.Reading} or writes through
 * {@code node.write}, and answers a document.
 *
 * <p><b>Always.</b> A command that reads does so from one View. The placement guard is asked on arrival and again with the
 * View.
 *
 * <p><b>Not here.</b> Commands every process has, routers too, are in {@code wire.common}; those about placement are in the
 * module sharding.
 */
package io.ostraka.node.command;
