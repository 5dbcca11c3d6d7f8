package io.ostraka.node.placement;

import static io.ostraka.core.error.ErrorCode.STALE_CONFIG;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.wire.command.Operation;
import java.util.Optional;

/**
 * Says whether an operation may run on this member, given the placement it was sent under. Asked on arrival, as a
 * shortcut; writes are checked again by ownership under their locks. Safe for many threads.
 */
public interface PlacementGuard {
    /**
     * Called when a command arrives, before anything is read. May refresh what this member knows, where the versions of the
     * operation's {@link Operation#options} are newer, and wait for it.
     *
     * @throws CommandException 13388 StaleConfig or 249 StaleDbVersion if the operation was sent under an older placement
     */
    void arrive(Operation operation, Namespace namespace);

    /**
     * Called with the View a command is going to read, or the state a write begins from. Compares, and waits for nothing.
     *
     * @param collection the namespace's entry there
     * @throws CommandException 13388 StaleConfig or 249 StaleDbVersion if the versions differ
     */
    void check(Operation operation, Namespace namespace, Optional<CollectionEntry> collection);

    /**
     * Called under the exclusive lock of a collection that is about to be created, dropped, renamed or given other
     * indexes or options: as {@link #check}, and also refuses while the collection is being handed to the cluster.
     */
    default void checkChange(Operation operation, Namespace namespace, Optional<CollectionEntry> collection) {
        check(operation, namespace, collection);
    }

    /**
     * Called before a command creates a collection because somebody writes to it.
     *
     * @throws CommandException 227 CannotImplicitlyCreateCollection, or as {@link #arrive}
     */
    void checkImplicitCreate(Operation operation, Namespace namespace);

    /** The error of a write that found, under its locks, a document this shard does not own. */
    CommandException unowned(Operation operation, CollectionEntry collection);

    /**
     * A document of a tracked collection is being written under its locks. Counts for splitting chunks, so it is cheap,
     * waits for nothing and never fails; the write may still be refused.
     *
     * @param shardKey its key bytes
     * @param bytes its size
     */
    default void wrote(CollectionEntry collection, byte[] shardKey, int bytes) {}

    /** Everything may run here: a member that is no shard. */
    PlacementGuard OPEN = new PlacementGuard() {
        @Override
        public void arrive(Operation operation, Namespace namespace) {}

        @Override
        public void check(Operation operation, Namespace namespace, Optional<CollectionEntry> collection) {}

        @Override
        public void checkImplicitCreate(Operation operation, Namespace namespace) {}

        @Override
        public CommandException unowned(Operation operation, CollectionEntry collection) {
            return STALE_CONFIG.because(
                    "a document of %s belongs to a key range this shard does not own", collection.namespace());
        }
    };
}
