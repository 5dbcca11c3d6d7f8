/**
 * From a proposal to a decided entry: the log that the members of a replica set share.
 *
 * <p><b>Way through.</b> A leader evaluates a write and calls {@link ReplicaGroup#propose} with its
 * {@link Leadership}. The group puts the bytes into a {@link LogEntry} at a {@link LogPosition}, and when the entry is
 * decided gives it to {@link ReplicatedState#apply}. The proposer learns its {@link Fate}.
 *
 * <p><b>Always.</b> Entries are applied in log order, each once. A proposal of one leadership is never applied under
 * another. What was answered {@link Fate.Applied} is on disk and is never taken back.
 *
 * <p><b>Not here.</b> What the bytes of a proposal mean, and the lock tables that live and die with a leadership.
 *
 * <p><b>Bytes.</b> A {@link LogEntry} in transit and on disk, version 1:
 *
 * <table>
 * <caption>Log entry</caption>
 * <tr><th>bytes</th><th>meaning</th></tr>
 * <tr><td>1</td><td>version, 1</td></tr>
 * <tr><td>16</td><td>incarnation of the group</td></tr>
 * <tr><td>8</td><td>term, big-endian</td></tr>
 * <tr><td>8</td><td>index, big-endian</td></tr>
 * <tr><td>rest</td><td>the proposal</td></tr>
 * </table>
 */
package io.ostraka.replication;
