package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.EXCEEDED_TIME_LIMIT;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.SNAPSHOT_TOO_OLD;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.ResolvedView;
import io.ostraka.node.member.Member;
import io.ostraka.node.view.View;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.run.RunContext;
import io.ostraka.wire.command.Operation;
import java.util.Optional;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;

/** Opens Views for commands, as their read concern and the placement guard ask. Safe for many threads. */
public final class Reading {
    /**
     * A View and the collection a command is about.
     *
     * @param collection empty if there is none of that name
     */
    public record Opened(View view, Optional<CollectionEntry> collection) implements AutoCloseable {
        @Override
        public void close() {
            view.close();
        }
    }

    /** How long a read waits for a time that its session has seen on another member. */
    private static final long LONGEST_WAIT_NANOS = 30_000_000_000L;

    /** How long a secondary waits for a time by itself before it asks the primary to come to it. */
    private static final long FOLLOWS_NANOS = 100_000_000;

    private final Member member;

    public Reading(Member member) {
        this.member = member;
    }

    /** The state to read a collection from. The caller closes it. */
    public Opened open(Operation operation, Namespace namespace) {
        member.settings().guard().arrive(operation, namespace);
        View view = view(operation);
        try {
            Optional<CollectionEntry> collection = view.find(namespace);
            member.settings().guard().check(operation, namespace, collection);
            collection.ifPresent(CollectionEntry::checkIsCollection);
            return new Opened(view, collection);
        } catch (RuntimeException e) {
            view.close();
            throw e;
        }
    }

    /**
     * What a name stands for, if it is a user's view.
     *
     * @throws io.ostraka.core.error.CommandException 169 for a router, with the view resolved: it must read the collection itself
     */
    public Optional<ResolvedView> view(Operation operation, Namespace namespace) {
        Optional<CollectionEntry> entry = member.views().catalog().find(namespace);
        if (entry.isEmpty() || !entry.get().isView()) {
            return Optional.empty();
        }
        member.settings().guard().arrive(operation, namespace);
        Optional<ResolvedView> resolved = ResolvedView.of(member.views().catalog(), namespace);
        if (operation.options().shardVersion().isPresent() && resolved.isPresent()) {
            throw resolved.get().forRouter(namespace);
        }
        return resolved;
    }

    /** How strings compare: as a command says, or as its collection does by itself. */
    public Collation collation(Namespace namespace, Optional<RawDocument> asked) {
        return collation(member, namespace, asked);
    }

    static Collation collation(Member member, Namespace namespace, Optional<RawDocument> asked) {
        if (asked.isPresent()) {
            return Collation.of(asked);
        }
        return member.views()
                .catalog()
                .find(namespace)
                .map(CollectionEntry::collation)
                .orElse(Collation.SIMPLE);
    }

    /** The state to read: the transaction's, where the operation is a statement of one. The caller closes it. */
    View view(Operation operation) {
        Optional<View> own = member.transactions().view(operation);
        if (own.isPresent()) {
            return own.get();
        }
        awaitConcern(operation);
        return at(member.view(), operation);
    }

    /** What a query of this operation may know of the world. */
    public RunContext context(Operation operation) {
        return member.context(operation::checkAlive);
    }

    /**
     * Waits until the state may be read under the operation's read concern.
     *
     * @throws io.ostraka.core.error.CommandException 72 for a level that does not exist
     */
    public void awaitConcern(Operation operation) {
        Optional<RawDocument> concern = operation.options().readConcern();
        if (concern.isEmpty()) {
            return;
        }
        RawCursor level = concern.get().find("level");
        String name = level == null ? "local" : level.string();
        switch (name) {
            case "local", "majority", "available" -> {} // everything applied here is on a majority
            case "linearizable" -> member.noop(operation);
            case "snapshot" -> awaitTime(concern.get().get("atClusterTime"), "atClusterTime", operation);
            default -> throw INVALID_OPTIONS.because("Unrecognized readConcern level '%s'", name);
        }
        awaitTime(concern.get().get("afterClusterTime"), "afterClusterTime", operation);
    }

    private void awaitTime(BsonValue wanted, String field, Operation operation) {
        if (!(wanted instanceof BsonTimestamp time)) {
            return;
        }
        if (Long.compareUnsigned(member.views().time(), time.getValue()) < 0) {
            // Another member's time: nothing here may ever come to it by itself.
            member.clock().heard(time, operation.client().ofCluster());
            if (Long.compareUnsigned(member.clock().reading().getValue(), time.getValue()) < 0) {
                throw INVALID_OPTIONS.because(
                        "readConcern %s value must not be greater than the current clusterTime", field);
            }
            if (member.isLeader()) {
                member.noop(operation);
            } else if (!operation.waitFor(member.views().progress().reaches(time.getValue()), FOLLOWS_NANOS)) {
                member.set().askForNoop(operation);
            }
        }
        operation.await(
                member.views().progress().reaches(time.getValue()),
                LONGEST_WAIT_NANOS,
                () -> EXCEEDED_TIME_LIMIT.because(
                        "the time the session has seen is not reached here; try again, or without %s", field));
    }

    /**
     * Sees to it that a View is that of the time asked for. Views of the past are not kept: it is, as long as nothing has
     * been written since.
     */
    private static View at(View view, Operation operation) {
        BsonValue wanted = operation
                .options()
                .readConcern()
                .map(concern -> concern.get("atClusterTime"))
                .orElse(null);
        if (wanted instanceof BsonTimestamp time && Long.compareUnsigned(view.time(), time.getValue()) > 0) {
            view.close();
            throw SNAPSHOT_TOO_OLD.because(
                    "Read timestamp %s is older than the oldest available timestamp: this version"
                            + " keeps no snapshots of the past; read without atClusterTime",
                    time);
        }
        return view;
    }
}
