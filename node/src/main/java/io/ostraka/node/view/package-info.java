/**
 * The state of a member at one moment, and the documents in it.
 *
 * <p><b>Way through.</b> {@link io.ostraka.node.view.Views} opens a {@link io.ostraka.node.view.View}: a snapshot of the
 * store with the catalog, the ownership and the position that belong to it. Commands get documents, indexes and
 * placement from one View and from nowhere else.
 *
 * <p><b>Always.</b> A View stands between two log entries. It never changes, and must be closed.
 *
 * <p><b>Not here.</b> Filters and plans ({@code query}); who may read.
 */
package io.ostraka.node.view;
