/**
 * Cursors as clients see them: batches, ids, time-outs.
 *
 * <p><b>Way through.</b> A command that has documents makes an {@link io.ostraka.wire.cursor.OpenCursor} of them and
 * gives it to {@link io.ostraka.wire.cursor.CursorRegistry#open}, which fills the first
 * {@link io.ostraka.wire.cursor.BatchReply} and keeps the cursor if there is more. {@code getMore} and
 * {@code killCursors} are the same on every kind of process and stand here.
 *
 * <p><b>Always.</b> A cursor is closed exactly once: at its end, on failure, when killed, idle for too long, or when
 * the process stops. Documents are copied into the reply undecoded.
 *
 * <p><b>Not here.</b> Where documents come from: {@code node} and {@code router}.
 */
package io.ostraka.wire.cursor;
