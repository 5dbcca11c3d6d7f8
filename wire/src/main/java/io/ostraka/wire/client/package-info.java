/**
 * The calling side, for processes of the same cluster.
 *
 * <p><b>Way through.</b> {@link io.ostraka.wire.client.ClusterClient#run} sends a command to an address; a connection
 * that stands is shared, otherwise one is made and proves the cluster's key on both ends.
 *
 * <p><b>Always.</b> A request ends: with its answer, with 6 when the connection breaks, with 89 when its time is over, or
 * with what ended its operation. After 6 and 89 nobody knows whether the command ran.
 *
 * A process that says nothing while it has something to answer is asked for a sign of life, and given up without one.
 *
 * <p><b>Not here.</b> Which process to ask, and whether to ask again: {@code router}, {@code sharding}.
 */
package io.ostraka.wire.client;
