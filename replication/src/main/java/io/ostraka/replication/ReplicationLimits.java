package io.ostraka.replication;

import io.ostraka.core.check.Check;

/**
 * Bounds of one group on one member.
 *
 * @param proposalBytes a proposal beyond it is refused
 * @param batchProposals proposals decided with one write to disk
 * @param batchBytes their bytes together, unless a single one is larger
 * @param waitingProposals beyond it proposals are refused until some are decided
 */
public record ReplicationLimits(int proposalBytes, int batchProposals, int batchBytes, int waitingProposals) {
    public static final ReplicationLimits DEFAULT = new ReplicationLimits(64 << 20, 128, 8 << 20, 16_384);

    public ReplicationLimits {
        Check.that(batchProposals >= 1, "a batch has a proposal");
        Check.that(batchBytes <= proposalBytes, "a batch is no larger than the largest proposal");
        Check.that(waitingProposals >= batchProposals, "a whole batch may wait");
    }
}
