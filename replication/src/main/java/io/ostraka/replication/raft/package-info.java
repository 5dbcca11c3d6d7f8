/**
 * A group of several members, on Apache Ratis.
 *
 * <p><b>Way through.</b> {@link io.ostraka.replication.raft.RaftGroup#propose} queues a proposal; one thread packs what
 * waits into an {@link io.ostraka.replication.raft.RaftEntry}, a large one into several, and submits it to the local
 * Ratis server; that replicates it with the calls of {@link io.ostraka.replication.raft.MemberRpc}, which travel over the
 * connections our processes have anyway ({@link io.ostraka.replication.raft.RaftTransport}); once a majority has it on
 * disk, {@link io.ostraka.replication.raft.EntryApplier} hands it to the state on every member, and the proposer learns
 * its fate.
 *
 * <p><b>Always.</b> A member leads for others only after the first entry of its own leadership is applied. An entry
 * evaluated in one term and appended in another changes nothing, on any member. A proposal without a fate stays so until
 * an entry of a later term is applied: what the library answers settles nothing. Entries are skipped only at or below
 * the position stored with the state, of the same incarnation.
 *
 * <p><b>Not here.</b> What a proposal means: {@code node.apply}. Addresses and sockets: {@code wire}.
 */
package io.ostraka.replication.raft;
