package io.ostraka.core.check;

/**
 * Invariants, checked in production too.
 *
 * <p>A user's mistake is never an assertion (that is a {@link io.ostraka.core.error.CommandException}), and a broken
 * invariant is never an error reply.
 */
public final class Check {
    private Check() {}

    /**
     * States what must hold.
     *
     * @param holds the condition
     * @param invariant the condition in words, stated positively
     * @throws IllegalStateException if it does not hold
     */
    public static void that(boolean holds, String invariant) {
        if (!holds) {
            throw new IllegalStateException("broken invariant: " + invariant);
        }
    }
}
