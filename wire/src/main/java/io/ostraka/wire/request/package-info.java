/**
 * The words of the commands that nodes and routers share, as records that check themselves.
 *
 * <p><b>Way through.</b> Each record's static {@code parse} reads a {@link io.ostraka.wire.command.Fields}. Filters,
 * updates and documents stay raw bytes; who runs the command compiles them.
 *
 * <p><b>Always.</b> A record that exists has all its types and ranges right. Every field MongoDB 8.0 takes is taken;
 * what has no effect here is named where it is read.
 *
 * <p><b>Not here.</b> What the fields mean for documents: {@code query}, {@code node}, {@code router}.
 */
package io.ostraka.wire.request;
