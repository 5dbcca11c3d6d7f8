/**
 * Who may write what now: the locks of one leadership.
 *
 * <p><b>Way through.</b> A write takes a {@link io.ostraka.node.lock.LockSet} from the
 * {@link io.ostraka.node.lock.LockTables} of its leadership, adds its collection, its documents in RecordId order, then
 * its keys in key order, and closes the set when its proposal's fate is known.
 *
 * <p><b>Always.</b> The order is: sessions by their bytes, collection, documents by RecordId, keys by ident and bytes. Nobody who holds a key waits
 * for a document. A lock of a document knows the document's shard key, so that a range can be drained. Transactions lock in any order, since they wait for nobody
 * but a moment for a collection. When the leadership ends, everyone who waits is told, and the tables are never used again.
 *
 * <p><b>Not here.</b> What is written under them ({@code node.write}).
 */
package io.ostraka.node.lock;
