package io.ostraka.replication.raft;

import io.ostraka.core.check.Check;

/**
 * How long a group waits for what, in milliseconds.
 *
 * @param electionMin a follower that hears nothing for this long, or a random time up to the next, asks for votes
 * @param electionMax see there
 * @param firstElectionMin the same before the first leader was heard of, so that a group starts fast
 * @param firstElectionMax see there
 * @param request within which a member must answer another
 * @param stepDown a leader that reaches no majority for this long leads no more; also the longest pause of the JVM
 */
public record RaftTimes(
        long electionMin, long electionMax, long firstElectionMin, long firstElectionMax, long request, long stepDown) {
    /** Measured: failover in less than two seconds, and no elections on a small machine whose load is ten. */
    public static final RaftTimes DEFAULT = new RaftTimes(600, 1200, 50, 150, 3000, 1800);

    public RaftTimes {
        Check.that(electionMin > 0 && electionMin < electionMax, "elections wait for a range of times");
        Check.that(firstElectionMin > 0 && firstElectionMin < firstElectionMax, "first elections too");
        Check.that(stepDown >= electionMax, "a leader does not give up before others would ask for votes");
    }
}
