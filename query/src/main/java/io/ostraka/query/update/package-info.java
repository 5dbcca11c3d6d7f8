/**
 * Updates: from what a client sends to the document after it.
 *
 * <p><b>Way through.</b> {@link io.ostraka.query.update.UpdateParser} reads an {@link io.ostraka.query.update.Update};
 * an {@link io.ostraka.query.update.Updater} made of it and the query applies it to each document the query matches,
 * or builds the document an upsert inserts.
 *
 * <p><b>Always.</b> The same document, update and context give the same bytes. A document that does not change is told
 * apart from one that does.
 *
 * <p><b>Not here.</b> Whether a shard key may change is known by who knows the key.
 */
package io.ostraka.query.update;
