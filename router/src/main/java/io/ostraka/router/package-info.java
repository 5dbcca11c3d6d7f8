/**
 * Routers: one cluster as one database.
 *
 * <p><b>Way through.</b> A command in {@code router.command} asks {@code router.routing} where its collection lives,
 * {@code router.target} which shards can hold what it wants, and {@code router.gather} to ask those and to ask again
 * when they know of a newer placement. {@code router.write} does the same for batches of writes.
 * {@link io.ostraka.router.Router} puts it all together.
 *
 * <p><b>Always.</b> Nothing is stored here: a router may be lost at any time. What a client gets comes from one routing
 * table; after a shard said it is stale, what was gathered is thrown away.
 *
 * <p><b>Not here.</b> Deciding placement: the config servers in {@code sharding}.
 */
package io.ostraka.router;
