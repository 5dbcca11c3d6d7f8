package io.ostraka.node.set;

/** What a member is in its set, by the numbers and names of {@code rs.status()}. */
public enum MemberState {
    /** In no set yet. */
    STARTUP(0),
    PRIMARY(1),
    SECONDARY(2),
    /** Serves nothing, though it has data. */
    RECOVERING(3),
    /** Being filled for the first time. */
    STARTUP2(5),
    /** Another member that does not answer. */
    DOWN(8),
    /** In the set no more. */
    REMOVED(10);

    private final int number;

    MemberState(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** @throws IllegalArgumentException for a number that is no state */
    public static MemberState of(int number) {
        for (MemberState state : values()) {
            if (state.number == number) {
                return state;
            }
        }
        throw new IllegalArgumentException("no state has the number " + number);
    }

    /** As {@code stateStr} says it. */
    public String text() {
        return this == DOWN ? "(not reachable/healthy)" : name();
    }
}
