/**
 * Evaluating writes, on the leader.
 *
 * <p><b>Way through.</b> A write takes the present {@link io.ostraka.node.write.Term}, locks, opens a View, evaluates into
 * a {@link io.ostraka.node.write.ChangeList}, and gives it to the {@link io.ostraka.node.write.Proposer}, which lets go of
 * the locks when the fate is known. {@link io.ostraka.node.write.Inserter} and {@link io.ostraka.node.write.Editor} are
 * the clients' writes, {@link io.ostraka.node.write.CollectionWriter} and {@link io.ostraka.node.write.IndexWriter} change
 * the catalog, {@link io.ostraka.node.write.SessionWriter} keeps what retryable writes answered,
 * {@link io.ostraka.node.write.Transactions} holds those of clients until they commit,
 * {@link io.ostraka.node.write.AtomicWrite} is the server's own, {@link io.ostraka.node.write.MoverWrite} the
 * mover's.
 *
 * <p><b>Always.</b> What was found before a lock is read again under it. Ownership is looked at after the locks are
 * held: a write is applied before a range is blocked, or sees the block and waits without locks. Unique is a rule kept
 * here, not by the bytes, and documents this shard does not own do not count for it.
 *
 * <p><b>Not here.</b> What update operators do ({@code query.update}) and how keys are made ({@code query.index}).
 */
package io.ostraka.node.write;
