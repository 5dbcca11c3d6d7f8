package io.ostraka.replication;

import java.nio.file.Path;
import java.util.List;

/** What the entries of a log build. The group calls it from one thread at a time. */
public interface ReplicatedState {
    /**
     * Applies entries in the order given, all visible and as durable as the state's journal says on return. Evaluates
     * nothing and waits for nobody. Entries whose {@link LogEntry#proposalTerm} is not their position's term change
     * nothing but the position.
     *
     * @throws RuntimeException only if storage fails; the group stops then
     */
    void apply(List<LogEntry> entries);

    /** The position of the last entry applied, as it is stored. */
    LogPosition applied();

    /**
     * Takes a place in the log of a new incarnation as the one it has reached; what it holds stays. For a group that is
     * made anew from this state.
     */
    void moveTo(LogPosition position);

    /** Writes all of it, with its position, to a folder that does not exist yet. */
    void save(Path folder);

    /** Replaces all of it by what {@link #save} wrote; the folder stays as it is. Readers are told that they ended. */
    void restore(Path folder);
}
