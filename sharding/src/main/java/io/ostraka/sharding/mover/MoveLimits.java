package io.ostraka.sharding.mover;

import io.ostraka.core.check.Check;

/**
 * Limits of one move. Every wait in it is bounded by a line here.
 *
 * @param pageBytes documents in one page, about
 * @param rowsBytes documents in one batch of rows, about
 * @param rowsScanned rows of the oplog looked at for one batch
 * @param pollMillis how long a request for rows waits for the first one
 * @param blockedMillis how long writers may be blocked before the move goes back to following
 * @param lagRows fewer rows than this in a batch, and the recipient has caught up
 * @param silenceMillis how long the donor waits for the recipient before it asks what it does
 * @param callMillis within which one command between the two must be answered
 */
public record MoveLimits(
        int pageBytes,
        int rowsBytes,
        int rowsScanned,
        long pollMillis,
        long blockedMillis,
        int lagRows,
        long silenceMillis,
        long callMillis) {
    public static final MoveLimits DEFAULT = new MoveLimits(1 << 20, 1 << 20, 20_000, 100, 500, 200, 3_000, 30_000);

    public MoveLimits {
        Check.that(pageBytes <= 16 << 20, "a page fits in one message");
        Check.that(blockedMillis < 10_000, "writers are blocked for less than a driver's timeout");
        Check.that(pollMillis < silenceMillis, "a recipient that waits for rows is not taken for a silent one");
    }
}
