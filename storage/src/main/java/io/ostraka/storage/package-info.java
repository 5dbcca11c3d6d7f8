/**
 * The bytes of one member on disk: a RocksDB database, and the folder it lies in.
 *
 * <p><b>Way through.</b> {@link DataFolder} locks a folder and checks its {@link Stamp}. {@link Engine} opens the
 * database in it with the {@link StorageResources} all engines of the process share. A {@link Batch} is written
 * atomically; a {@link ReadView} is a snapshot with gets and {@link Rows}. {@link RecordStore} and {@link IndexStore}
 * lay out the keys of one collection and one index. {@link SpillFolder} holds the temporary files of queries beside it.
 *
 * <p><b>Always.</b> RocksDB never calls back into Java: no comparator, filter, merge operator or listener. An engine
 * closes every iterator and snapshot before its database, because one that outlives it ends the process. Nothing that
 * differs between members of a set is in the database of a set: a checkpoint replaces it whole.
 *
 * <p><b>Not here.</b> What a document is, which index keys it has, and who may write: all in the module node.
 *
 * <p><b>Bytes.</b> All numbers in keys are big-endian, so that they sort. First version that wrote them: 1.
 *
 * <table>
 * <caption>Column families of format 1</caption>
 * <tr><th>family</th><th>key</th><th>value</th></tr>
 * <tr><td>meta</td><td>chosen by the module node</td><td>chosen by the module node</td></tr>
 * <tr><td>records</td><td>ident (4) + RecordId (8 for a number)</td><td>the document's BSON</td></tr>
 * <tr><td>index</td><td>ident (4) + KeyString of the fields + RecordId (8)</td><td>type bits</td></tr>
 * <tr><td>oplog</td><td>cluster time (8) + row number (4)</td><td>chosen by the module node</td></tr>
 * </table>
 *
 * <p>The stamp is the file {@code ostraka.stamp}: lines {@code name=value} in UTF-8, with {@code format} first.
 */
package io.ostraka.storage;
