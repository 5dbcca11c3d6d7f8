/**
 * Copies documents while writes go on, and then switches who owns them.
 *
 * <p><b>Way through.</b> The config servers make a plan and send {@code _shardsvrMoveRange} to the donor.
 * {@link io.ostraka.sharding.mover.Donation} takes it through its states; {@link io.ostraka.sharding.mover.Receipt} on
 * the recipient pulls the records of retryable writes
 * ({@code _shardsvrMoveSessions}), pages ({@code _shardsvrMovePage}) and then rows of the oplog ({@code _shardsvrMoveRows}).
 *
 * <p><b>What is stored.</b> On the donor {@code config.donations}: the plan, its state, and T0, the cluster time rows are
 * followed from. On the recipient {@code config.receipts}: the plan, its state, the last page and the last row applied,
 * each stored in the entry that applied them; and {@code config.receiptMap.<plan>}: which document here came from which
 * there.
 *
 * <p><b>States of the donor.</b> {@code FOLLOWING}: pages and rows are pulled. {@code BLOCKED}: writers of the range
 * wait, the tail is pulled; longer than the bound and it goes back. {@code COMMITTING}: readers wait too; only the
 * config servers' recorded decision counts from here on. {@code GIVEN}: the shard does not own the range any more.
 *
 * <p><b>States of the recipient.</b> {@code PULLING}; {@code DRAINED}: everything is here, with how many documents and
 * bytes that is; {@code RECEIVED}: they are owned.
 *
 * <p><b>Who drives it.</b> The donor's job, asked for by the config servers until the plan is finished.
 *
 * <p><b>What happens on failover.</b> The next job starts from the stored state: {@code BLOCKED} goes back to
 * {@code FOLLOWING}, {@code COMMITTING} asks the config servers what they recorded. The recipient goes on after the last
 * page and row it stored.
 *
 * <p><b>What happens on abort.</b> Writers go on, the donation is forgotten, and the recipient cleans up what it has: it
 * never owned any of it.
 */
package io.ostraka.sharding.mover;
