/**
 * The replica set a member belongs to: who the members are, how they come and go, who leads.
 *
 * <p><b>Way through.</b> A member begins in one of three ways: as a set of its own ({@code LocalGroup}), waiting to be
 * initiated or added, or back in the group it had ({@code raft/} in its folder).
 * {@link io.ostraka.node.set.SetChanges#initiate}, {@code reconfigure} and {@code join} change that while it is open; the
 * {@link io.ostraka.node.set.SwitchingGroup} lets everybody else hold on to one group.
 *
 * <p><b>Always.</b> The configuration is a replicated document ({@code admin.system.replset}), and it is what is meant: it
 * is stored first, then the Raft group follows, one voter at a time, and every new leader brings the group to it. A
 * member is known by the id in its folder's stamp, its address may change. Members answer calls only of their own group.
 *
 * <p><b>Not here.</b> Consensus: {@code replication.raft}. Commands: {@code node.command}.
 */
package io.ostraka.node.set;
