/**
 * From decided proposals to the store: the only writer of it.
 *
 * <p><b>Way through.</b> The replica group gives entries to {@link io.ostraka.node.apply.Applier}, which turns their
 * Changes into one batch with the counters, the position and the cluster time, and publishes an
 * {@link io.ostraka.node.apply.AppliedState}. {@link io.ostraka.node.apply.Progress} wakes those who wait for it.
 *
 * <p><b>Always.</b> The store never holds half a proposal, nor a position without its effects. Each proposal has one
 * cluster time, greater than all before. A snapshot and the AppliedState found for it belong together.
 *
 * <p><b>Not here.</b> Evaluating anything: no query, no rule, no clock but the reading in the proposal.
 *
 * <p><b>Bytes.</b> In the family meta, version 1, numbers big-endian:
 *
 * <table>
 * <caption>Meta rows</caption>
 * <tr><th>key</th><th>value</th></tr>
 * <tr><td>{@code p}</td><td>version (1), incarnation (16), term (8), index (8), cluster time (8), highest ident (4)</td></tr>
 * <tr><td>{@code c} + ident (4)</td><td>the collection's entry, see {@code node.catalog}</td></tr>
 * <tr><td>{@code n} + ident (4)</td><td>version (1), documents (8), unowned (8), bytes (8), bytes of unowned (8)</td></tr>
 * </table>
 */
package io.ostraka.node.apply;
