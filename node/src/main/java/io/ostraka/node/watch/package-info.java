/**
 * Change streams: the oplog as clients see it.
 *
 * <p><b>Way through.</b> {@link io.ostraka.node.watch.StreamSpec} is what {@code $changeStream} asks for,
 * {@link io.ostraka.node.watch.ChangeEvents} makes events of rows, {@link io.ostraka.node.watch.ChangeStream} is the cursor:
 * it reads the rows of a View, gives the batch its resume token, and waits for the Applier where there is nothing new.
 *
 * <p><b>Always.</b> Only what is applied is shown, in the order of the log. What the mover writes is no change.
 *
 * <p><b>Bytes.</b> A resume token is {@code {_data: hex}}: {@code 82}, eight bytes of the cluster time, four of the row's
 * number, one of the kind: 0 after a row, 1 after an invalidating row, 2 after all rows up to the time. Its text sorts as events do.
 */
package io.ostraka.node.watch;
