/**
 * Evaluated writes: what a leader proposes and every member applies.
 *
 * <p><b>Way through.</b> A writer collects {@link io.ostraka.node.change.Change}s into a
 * {@link io.ostraka.node.change.Proposal}; {@link io.ostraka.node.change.ProposalCodec} turns it into the bytes of a log
 * entry and back. {@link io.ostraka.node.change.OplogRow} is what the oplog keeps of a write.
 *
 * <p><b>Always.</b> A Change is an effect, not an intention: applying it asks no question. Counters travel as deltas,
 * never as totals, so that proposals evaluated side by side add up.
 *
 * <p><b>Not here.</b> Which Changes a write has ({@code node.write}), and how they reach the disk ({@code node.apply}).
 *
 * <p><b>Bytes.</b> Version 1. Numbers are varints of seven bits a byte, low bits first; "bytes" is a length and bytes;
 * documents are their BSON.
 *
 * <table>
 * <caption>Proposal</caption>
 * <tr><td>version</td><td>1 byte: 1</td></tr>
 * <tr><td>reading</td><td>8 bytes big-endian: the leader's clock as a cluster time</td></tr>
 * <tr><td>changes</td><td>to the end, each a tag and its fields</td></tr>
 * </table>
 * <table>
 * <caption>Changes</caption>
 * <tr><td>1 put record</td><td>ident, record id bytes, document</td></tr>
 * <tr><td>2 delete record</td><td>ident, record id bytes</td></tr>
 * <tr><td>3 put entry</td><td>ident, key bytes, record id bytes, type bits bytes</td></tr>
 * <tr><td>4 delete entry</td><td>ident, key bytes, record id bytes</td></tr>
 * <tr><td>5 count</td><td>ident, then documents, unowned, bytes, size of unowned as zigzag</td></tr>
 * <tr><td>6 catalog</td><td>document, see {@code node.catalog}</td></tr>
 * <tr><td>7 oplog row</td><td>header document; 0, or 1 + the place of the put record that holds the document after; 0, or 1 and the document before</td></tr>
 * <tr><td>8 truncate oplog</td><td>8 bytes big-endian: rows with lower times go</td></tr>
 * </table>
 *
 * <p>An oplog row in the store: version 1, then header document; 0, or 1 and the document after; 0, or 1 and the document
 * before. The header: {@code {op: "i"|"u"|"d"|"c"|"n", ns, ui: binary?, o2: document key?, rid: binary?,
 * lsid: {}?, txnNumber: long?, stmtId: int?, u: update?, moved: bool?,
 * o: command?, wall: date}}.
 */
package io.ostraka.node.change;
