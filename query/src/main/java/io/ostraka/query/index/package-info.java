/**
 * Indexes as far as they are a matter of documents: definitions, the keys of a document, the bounds of a filter.
 *
 * <p><b>Way through.</b> {@link io.ostraka.query.index.IndexDefinition} is parsed;
 * {@link io.ostraka.query.index.IndexKeys} gives a document's keys; {@link io.ostraka.query.index.IndexBounds} gives
 * the ranges of keys in which matching documents are. Shard keys use the same three.
 *
 * <p><b>Always.</b> A document that matches a filter has at least one key within the filter's bounds.
 *
 * <p><b>Not here.</b> Storing and scanning keys is the node's; choosing an index is in {@code query.plan}.
 */
package io.ostraka.query.index;
