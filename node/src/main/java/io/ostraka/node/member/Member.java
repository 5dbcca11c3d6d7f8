package io.ostraka.node.member;

import static io.ostraka.core.error.ErrorCode.INTERRUPTED_AT_SHUTDOWN;
import static io.ostraka.core.error.ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.apply.Applier;
import io.ostraka.node.placement.PlacementGuard;
import io.ostraka.node.set.LeaderTasks;
import io.ostraka.node.set.ReplicaSet;
import io.ostraka.node.set.SetOpening;
import io.ostraka.node.view.View;
import io.ostraka.node.view.Views;
import io.ostraka.node.write.AtomicWrite;
import io.ostraka.node.write.CollectionWriter;
import io.ostraka.node.write.DocumentExpiry;
import io.ostraka.node.write.Editor;
import io.ostraka.node.write.IndexWriter;
import io.ostraka.node.write.Indexer;
import io.ostraka.node.write.Inserter;
import io.ostraka.node.write.MoverWrite;
import io.ostraka.node.write.OplogTrim;
import io.ostraka.node.write.Proposer;
import io.ostraka.node.write.SessionExpiry;
import io.ostraka.node.write.SessionWriter;
import io.ostraka.node.write.Term;
import io.ostraka.node.write.Terms;
import io.ostraka.node.write.Transactions;
import io.ostraka.node.write.Validators;
import io.ostraka.node.write.WriteParts;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.run.QueryLimits;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.run.SpillSpace;
import io.ostraka.replication.Leadership;
import io.ostraka.storage.DataFolder;
import io.ostraka.storage.DiskReserve;
import io.ostraka.storage.Engine;
import io.ostraka.storage.SpillFolder;
import io.ostraka.storage.Stamp;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.HybridClock;
import io.ostraka.wire.command.Operation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One open member of a replica set. Safe for many threads. */
public final class Member implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Member.class);

    private static final String LOCAL = "local";
    private static final long FOLLOWS_AGAIN_NANOS = 1_000_000_000;

    private final MemberSettings settings;
    private final DataFolder folder;
    private final Engine engine;
    private final Applier applier;
    private final ReplicaSet set;
    private final LeaderTasks tasks;
    private final HybridClock clock;
    private final Views views;
    private final WriteParts parts;
    private volatile LongSupplier oplogNeededFrom = () -> -1; // the greatest of all times, unsigned
    private final SpillFolder spilled;
    private final SpillSpace spill;
    private final long openedNanos;
    private final Object localLock = new Object();
    private Member local;
    private volatile boolean closed;

    private Member(MemberSettings settings, DataFolder folder, Engine engine, HybridClock clock) {
        this.settings = settings;
        this.folder = folder;
        this.engine = engine;
        this.clock = clock;
        openedNanos = settings.clock().nanos();
        spilled = SpillFolder.open(folder.path(), SpillFolder.BYTES_MAX);
        spill = new MemberSpill(spilled);
        applier = Applier.open(engine, clock, folder.stamp().memberId());
        views = new Views(engine, applier);
        boolean collated = views.catalog().all().stream()
                .flatMap(collection -> collection.indexes().stream())
                .anyMatch(index -> !index.definition().collation().isSimple());
        folder.stampIcu(collated ? Collation.VERSION : Stamp.NO_ICU);
        set = ReplicaSet.open(new ReplicaSet.Parts(
                settings.setName(),
                folder.stamp().memberId(),
                folder.path(),
                settings.address(),
                engine,
                applier,
                views,
                clock,
                settings.clock(),
                settings.ids(),
                settings.replication(),
                settings.opening()));
        DiskReserve reserve =
                new DiskReserve(folder::freeBytes, settings.resources().limits().diskReserveBytes(), settings.clock());
        parts = new WriteParts(
                views,
                new Terms(set.group(), views),
                new Proposer(set.group(), clock, reserve),
                new Indexer(context(() -> {})),
                Validators.in(() -> context(() -> {})),
                settings.guard(),
                new Transactions(),
                settings.clock(),
                settings.ids());
        set.writeWith(new AtomicWrite(parts));
        tasks = new LeaderTasks(settings.setName(), set.group());
        tasks.add(LeaderTasks.thread("index-builds", leadership -> resumeBuilds(during(leadership))));
        tasks.add(LeaderTasks.thread("oplog-trim", leadership -> trimOplog(during(leadership))));
        tasks.add(LeaderTasks.thread(
                "document-expiry",
                leadership -> new DocumentExpiry(
                                parts, () -> context(() -> {}), DocumentExpiry.PAUSE, during(leadership))
                        .run()));
        tasks.add(LeaderTasks.thread("set-follows", leadership -> followConfig(during(leadership))));
        tasks.add(LeaderTasks.thread(
                "session-records",
                leadership -> new SessionExpiry(parts, SessionExpiry.Limits.DEFAULT, during(leadership)).run()));
    }

    /** An operation of the server that ends with a leadership. */
    public Operation during(Leadership leadership) {
        Operation operation = internal("background", Deadline.never(settings.clock()));
        leadership.whenOver(() ->
                operation.kill(INTERRUPTED_DUE_TO_REPL_STATE_CHANGE.because("this member is not primary any more")));
        return operation;
    }

    private void trimOplog(Operation untilOver) {
        new OplogTrim(parts, engine, OplogTrim.Limits.DEFAULT, () -> oplogNeededFrom.getAsLong(), untilOver).run();
    }

    /** Brings the group to its configuration, again and again: a change may have found a member that was away. */
    private void followConfig(Operation untilOver) {
        while (true) {
            try {
                set.changes().followAgain(untilOver);
            } catch (CommandException e) {
                LOG.info("the members of {} are not as configured yet: {}", settings.setName(), e.getMessage());
            }
            try {
                untilOver.waitFor(new CompletableFuture<>(), FOLLOWS_AGAIN_NANOS);
            } catch (CommandException over) {
                return;
            }
        }
    }

    private void resumeBuilds(Operation untilClosed) {
        try {
            indexes().resume(untilClosed);
        } catch (CommandException e) {
            // The next primary goes on with what is left.
            LOG.info("index builds stopped: {}", e.getMessage());
        }
    }

    /**
     * From now on asked before the oplog is cut.
     *
     * @param floor the least cluster time whose rows somebody must still follow; -1 for none
     */
    public void keepOplogFrom(LongSupplier floor) {
        oplogNeededFrom = floor;
    }

    /**
     * Opens a member. A set of its own it leads when this returns.
     *
     * @param fresh the stamp of a folder that has none yet
     * @throws io.ostraka.storage.FolderRefused if the folder is in use, of another format, or of something else
     */
    public static Member open(MemberSettings settings, java.util.function.Supplier<Stamp> fresh) {
        DataFolder folder = DataFolder.open(settings.folder(), settings.program(), fresh);
        Engine engine = null;
        try {
            folder.checkIcu(Collation.VERSION);
            engine = Engine.open(folder.path().resolve("db"), settings.resources(), Engine.Journal.SYNCED);
            return new Member(settings, folder, engine, new HybridClock(settings.clock()));
        } catch (RuntimeException e) {
            if (engine != null) {
                engine.close();
            }
            folder.close();
            throw e;
        }
    }

    public MemberSettings settings() {
        return settings;
    }

    public Stamp stamp() {
        return folder.stamp();
    }

    /** The hybrid clock of this member; the dispatcher hears and tells times by it. */
    public HybridClock clock() {
        return clock;
    }

    /** The present state. Closed by the caller. */
    public View view() {
        return views.open();
    }

    public Views views() {
        return views;
    }

    /** The store, for what reports on it. */
    public Engine engine() {
        return engine;
    }

    /** What writers are made of, for commands. */
    public WriteParts parts() {
        return parts;
    }

    /** The present leadership with its locks. */
    public Term term() {
        return parts.terms().current();
    }

    /** Whether it leads its set, so that it takes writes. */
    public boolean isLeader() {
        return set.group().leadership().isPresent();
    }

    /**
     * The store of the database {@code local}, which is this member's own and not replicated: a member of its own, alone.
     * Made when it is asked for first, closed with this one.
     */
    public Member local() {
        synchronized (localLock) {
            if (local == null) {
                if (closed) {
                    throw INTERRUPTED_AT_SHUTDOWN.because("interrupted at shutdown");
                }
                Path own = folder.path().resolve(LOCAL);
                MemberSettings alone = new MemberSettings(
                        own,
                        settings.program(),
                        settings.setName(),
                        settings.address(),
                        settings.resources(),
                        settings.replication(),
                        PlacementGuard.OPEN,
                        SetOpening.ALONE,
                        settings.clock(),
                        settings.ids());
                local = open(
                        alone,
                        () -> Stamp.fresh(
                                settings.program(),
                                folder.stamp().clusterId(),
                                folder.stamp().memberId()));
            }
            return local;
        }
    }

    /** Whether anything was ever written to {@code local}. */
    public boolean hasLocal() {
        return Files.exists(folder.path().resolve(LOCAL));
    }

    /** The set it belongs to. */
    public ReplicaSet set() {
        return set;
    }

    /** What runs while it leads. */
    public LeaderTasks leaderTasks() {
        return tasks;
    }

    public long uptimeSeconds() {
        return (settings.clock().nanos() - openedNanos) / 1_000_000_000;
    }

    public Inserter inserter() {
        return new Inserter(parts);
    }

    public Editor editor() {
        return new Editor(parts);
    }

    public Inserter inserter(boolean bypassValidation) {
        return new Inserter(parts.bypassing(bypassValidation));
    }

    public Editor editor(boolean bypassValidation) {
        return new Editor(parts.bypassing(bypassValidation));
    }

    public CollectionWriter collections() {
        return new CollectionWriter(parts);
    }

    public IndexWriter indexes() {
        return new IndexWriter(parts);
    }

    /** The multi-document transactions of clients. */
    public Transactions transactions() {
        return parts.transactions();
    }

    /** Keeps the records of retryable writes. */
    public SessionWriter sessions() {
        return new SessionWriter(parts);
    }

    public MoverWrite mover() {
        return new MoverWrite(parts);
    }

    /**
     * Evaluates under locks and applies in one proposal; see {@link AtomicWrite#run}.
     *
     * @param collections those read to decide, or written
     * @param ownershipOf those whose ownership is changed
     */
    public <T> T transact(
            Collection<Namespace> collections,
            Collection<Namespace> ownershipOf,
            Operation operation,
            AtomicWrite.Body<T> body) {
        return new AtomicWrite(parts).run(collections, ownershipOf, operation, body);
    }

    /** Replicates a row that changes nothing, and waits until it is applied: everything decided before is then, too. */
    public void noop(Operation operation) {
        transact(List.of(), List.of(), operation, write -> {
            write.noop(new Namespace("admin", "noop"), new BsonDocument("msg", new BsonString("noop")));
            return null;
        });
    }

    /** What a query may know of the world, for an operation. */
    public RunContext context(RunContext.Interruption interruption) {
        return new RunContext(
                        settings.clock().wallMillis(),
                        new BsonTimestamp(clock.clusterTime().getValue()),
                        interruption,
                        settings.ids()::random, // asked by few queries, and a seed of its own costs as much as a read
                        QueryLimits.DEFAULT)
                .with(spill);
    }

    /** An operation of the server itself. */
    public Operation internal(String name, Deadline deadline) {
        return Operation.ofProcess(name, "admin", deadline);
    }

    /** Ends the leadership, lets what was proposed come to its fate, closes every reader, then the store. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        synchronized (localLock) {
            if (local != null) {
                local.close();
            }
        }
        set.group().close();
        applier.progress().close();
        tasks.close();
        engine.close();
        spilled.close();
        folder.close();
    }
}
