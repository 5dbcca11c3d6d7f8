/**
 * The cluster catalog: the config servers' authoritative placement.
 *
 * <p><b>Way through.</b> {@link io.ostraka.sharding.catalog.ClusterCatalog} answers who owns what and commits changes.
 * Rows ({@link io.ostraka.sharding.catalog.ChunkRow} and its siblings) are the documents clients see in the
 * {@code config} database. {@link io.ostraka.sharding.catalog.CatalogStore} is where they lie.
 *
 * <p><b>Always.</b> Every change of placement is one commit to the store: rows, versions, history and changelog
 * together, evaluated under the collection's lock against exact preconditions. A caller that asks again after a lost
 * answer gets what was decided.
 *
 * <p><b>Not here.</b> Copying documents is {@code sharding.mover}; asking shards to do things is {@code sharding.ddl}.
 */
package io.ostraka.sharding.catalog;
