/**
 * Asking shards: in parallel, again when they know of a newer placement, and their cursors as one.
 *
 * <p><b>Way through.</b> {@link io.ostraka.router.gather.StaleRetry} runs an operation on a routing, and anew on a newer
 * one. {@link io.ostraka.router.gather.ScatterGather} sends one request to each shard and waits for all.
 * {@link io.ostraka.router.gather.MergedCursor} reads several shards' cursors as one.
 *
 * <p><b>Always.</b> An operation starts again only while nothing has been returned to the client, and then wholly.
 */
package io.ostraka.router.gather;
