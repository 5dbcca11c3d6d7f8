/**
 * Batches of writes on a cluster.
 *
 * <p><b>Way through.</b> {@link io.ostraka.router.write.Statements} says of each statement its
 * {@link io.ostraka.router.write.Route}; {@link io.ostraka.router.write.BatchWriter} sends runs of statements to their
 * shards, in order or at once, and goes on where a shard was stale. {@link io.ostraka.router.write.Picker} finds the one
 * document of a statement that does not name its shard.
 *
 * <p><b>Always.</b> A statement is sent again only when its shard says that it did nothing, or when the client numbered
 * it. Indexes in answers are the client's.
 */
package io.ostraka.router.write;
