/**
 * What one member stores about its collections and indexes.
 *
 * <p><b>Way through.</b> A {@link io.ostraka.node.catalog.Catalog} holds {@link io.ostraka.node.catalog.CollectionEntry}s
 * by name and by ident, each with its {@link io.ostraka.node.catalog.IndexEntry}s and, on a shard, what the shard owns
 * of it. A {@link io.ostraka.node.catalog.CatalogChange} makes the next Catalog.
 *
 * <p><b>Always.</b> All of it is immutable; a View carries the Catalog of its moment. Changes are small and merge: two
 * that concern different things of one collection may be evaluated side by side. Idents are never used twice.
 *
 * <p><b>Not here.</b> The cluster's placement (ClusterCatalog, on the config servers), and who may change what.
 *
 * <p><b>Bytes.</b> Entries and changes are stored as BSON; version 1. Entry: {@code {ident: long, ns, uuid: binary,
 * options, capped: {size, max}?, preImages: bool, indexes: [index], ownership?}}. Index: {@code {ident: long, spec,
 * ready: bool, multikey: long}}.
 */
package io.ostraka.node.catalog;
