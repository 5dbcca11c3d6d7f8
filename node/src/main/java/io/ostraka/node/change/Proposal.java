package io.ostraka.node.change;

import java.util.List;

/**
 * What is applied whole or not at all.
 *
 * @param reading the leader's clock, as a cluster time; the proposal's time is at least this
 * @param changes in order
 */
public record Proposal(long reading, List<Change> changes) {
    /** Changes nothing: a leader's first entry. */
    public static Proposal noOp(long reading) {
        return new Proposal(reading, List.of());
    }

    public Proposal {
        changes = List.copyOf(changes);
    }
}
