package io.ostraka.node.apply;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.catalog.Catalog;
import io.ostraka.node.catalog.CatalogChange;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.node.change.Change;
import io.ostraka.node.change.OplogRow;
import io.ostraka.node.change.Proposal;
import io.ostraka.node.change.ProposalCodec;
import io.ostraka.replication.LogEntry;
import io.ostraka.replication.LogPosition;
import io.ostraka.replication.ReplicatedState;
import io.ostraka.storage.Batch;
import io.ostraka.storage.Engine;
import io.ostraka.storage.Family;
import io.ostraka.storage.IndexStore;
import io.ostraka.storage.Keys;
import io.ostraka.storage.ReadView;
import io.ostraka.storage.RecordStore;
import io.ostraka.wire.command.HybridClock;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonTimestamp;

/** The only writer of the store. {@link #apply} runs on one thread at a time; everything else on any. */
public final class Applier implements ReplicatedState {
    /** The family of the oplog keys: time (8) and row number (4). */
    private static final int OPLOG_KEY = 12;

    private final Engine engine;
    private final HybridClock clock;
    private final Map<Integer, Totals> totals = new HashMap<>();
    private final Progress progress;
    private volatile AppliedState current;
    // Set before a batch is written and published after: a snapshot taken in between belongs to one of the two.
    private volatile AppliedState next;
    private final AtomicLong oplogBytesWritten = new AtomicLong();

    private Applier(Engine engine, HybridClock clock, AppliedState current) {
        this.engine = engine;
        this.clock = clock;
        this.current = current;
        this.next = current;
        progress = new Progress(current.time());
        clock.applied(new BsonTimestamp(current.time()));
    }

    /**
     * Reads what the store holds.
     *
     * @param incarnation the group's, for a store that holds nothing yet
     */
    public static Applier open(Engine engine, HybridClock clock, UUID incarnation) {
        return new Applier(
                engine,
                clock,
                stored(engine).orElseGet(() -> new AppliedState(LogPosition.start(incarnation), 0, Catalog.EMPTY)));
    }

    private static Optional<AppliedState> stored(Engine engine) {
        try (ReadView view = engine.read()) {
            return MetaRows.position(view)
                    .map(at -> new AppliedState(at.position(), at.time(), MetaRows.catalog(view, at.highestIdent())));
        }
    }

    /** The state of now. For what belongs to a snapshot, ask {@link #stateOf}. */
    public AppliedState state() {
        return current;
    }

    public Progress progress() {
        return progress;
    }

    /** What stands beside a snapshot; empty if it is too old to tell, so that the caller takes a new one. */
    public Optional<AppliedState> stateOf(ReadView view) {
        Optional<MetaRows.Position> stored = MetaRows.position(view);
        AppliedState before = current;
        AppliedState after = next;
        if (stored.isEmpty()) {
            return before.position().index() == 0 ? Optional.of(before) : Optional.empty();
        }
        if (stored.get().position().equals(before.position())) {
            return Optional.of(before);
        }
        return stored.get().position().equals(after.position()) ? Optional.of(after) : Optional.empty();
    }

    @Override
    public LogPosition applied() {
        return current.position();
    }

    @Override
    public void apply(List<LogEntry> entries) {
        try (Batch batch = engine.batch()) {
            AppliedState state = current;
            Touched touched = new Touched(batch);
            for (LogEntry entry : entries) {
                state = apply(touched, state, entry);
            }
            touched.write(state);
            next = state;
            engine.write(batch);
            boolean catalogChanged = state.catalog() != current.catalog();
            current = state;
            clock.applied(new BsonTimestamp(state.time()));
            progress.publish(state.time(), catalogChanged, oplogBytesWritten.get());
        }
    }

    private AppliedState apply(Touched touched, AppliedState state, LogEntry entry) {
        if (entry.proposalTerm() != entry.position().term()) {
            return new AppliedState(entry.position(), state.time(), state.catalog());
        }
        Proposal proposal = ProposalCodec.decode(entry.proposal());
        long time = Long.compareUnsigned(proposal.reading(), state.time()) > 0 ? proposal.reading() : state.time() + 1;
        Catalog catalog = state.catalog();
        int row = 0;
        for (Change change : proposal.changes()) {
            if (change instanceof Change.Row(var header, var after, var before)) {
                Optional<RawDocument> document = after < 0
                        ? Optional.empty()
                        : Optional.of(document(proposal.changes().get(after)));
                touched.oplog(time, row++, OplogRow.encode(header, document, before));
            } else if (change instanceof Change.OfCatalog(var inner)) {
                touched.catalog(catalog, inner);
                catalog = catalog.with(inner);
            } else {
                touched.plain(change);
            }
        }
        return new AppliedState(entry.position(), time, catalog);
    }

    private static RawDocument document(Change put) {
        return ((Change.PutRecord) put).document();
    }

    /** The key of an oplog row. */
    public static byte[] oplogKey(long time, int row) {
        byte[] key = new byte[OPLOG_KEY];
        Keys.putLong(key, 0, time);
        Keys.putInt(key, 8, row);
        return key;
    }

    @Override
    public void moveTo(LogPosition position) {
        AppliedState moved = new AppliedState(position, current.time(), current.catalog());
        try (Batch batch = engine.batch()) {
            new Touched(batch).write(moved);
            next = moved;
            engine.write(batch);
            current = moved;
        }
    }

    @Override
    public void save(Path folder) {
        engine.checkpoint(folder);
    }

    @Override
    public void restore(Path folder) {
        engine.replaceBy(folder);
        AppliedState restored = stored(engine)
                .orElseThrow(() -> new IllegalStateException("the state received from the primary holds no position"));
        totals.clear();
        next = restored;
        current = restored;
        clock.applied(new BsonTimestamp(restored.time()));
        progress.publish(restored.time(), true, oplogBytesWritten.get());
    }

    /** One batch being made, and what must be written once at its end. */
    private final class Touched {
        private final Batch batch;
        private final Map<Integer, Totals> counters = new HashMap<>();
        private final Set<Integer> entries = new HashSet<>();

        Touched(Batch batch) {
            this.batch = batch;
        }

        void plain(Change change) {
            switch (change) {
                case Change.PutRecord(var collection, var id, var document) ->
                    new RecordStore(collection).put(batch, id, document.toByteArray());
                case Change.DeleteRecord(var collection, var id) -> new RecordStore(collection).delete(batch, id);
                case Change.PutEntry(var index, var key, var id) ->
                    new IndexStore(index).put(batch, key.bytes(), id, key.typeBits());
                case Change.DeleteEntry(var index, var key, var id) ->
                    new IndexStore(index).delete(batch, key.bytes(), id);
                case Change.Count count ->
                    counters.merge(
                            count.collection(), stored(count.collection()).plus(count), (had, _) -> had.plus(count));
                case Change.TruncateOplog(var time) -> {
                    batch.deleteRange(Family.OPLOG, oplogKey(0, 0), oplogKey(time, 0));
                    batch.put(
                            Family.META,
                            MetaRows.oplogFromKey(),
                            ByteBuffer.allocate(Long.BYTES).putLong(time).array());
                }
                case Change.OfCatalog _, Change.Row _ -> throw new IllegalStateException("handled by the caller");
            }
        }

        void oplog(long time, int row, byte[] bytes) {
            batch.put(Family.OPLOG, oplogKey(time, row), bytes);
            oplogBytesWritten.addAndGet(bytes.length);
        }

        /** Takes away what a change drops; the entries themselves are written at the end. */
        void catalog(Catalog before, CatalogChange change) {
            switch (change) {
                case CatalogChange.Create(var entry) -> entries.add(entry.ident());
                case CatalogChange.Drop(var ident) -> {
                    // A range delete is hidden from snapshots taken before it: open Views keep what they saw.
                    before.byIdent(ident).ifPresent(entry -> {
                        new RecordStore(ident).deleteAll(batch);
                        entry.indexes().stream().map(IndexEntry::ident).forEach(this::dropIndex);
                    });
                    entries.add(ident);
                    counters.put(ident, Totals.ZERO);
                }
                case CatalogChange.DropIndex(var ident, var index) -> {
                    dropIndex(index);
                    entries.add(ident);
                }
                case CatalogChange.Rename it -> entries.add(it.ident());
                case CatalogChange.SetOptions it -> entries.add(it.ident());
                case CatalogChange.SetPreImages it -> entries.add(it.ident());
                case CatalogChange.SetOwnership it -> entries.add(it.ident());
                case CatalogChange.PutIndex it -> entries.add(it.ident());
                case CatalogChange.AddMultikey it -> entries.add(it.ident());
            }
        }

        private void dropIndex(int index) {
            new IndexStore(index).deleteAll(batch);
        }

        private Totals stored(int ident) {
            return totals.computeIfAbsent(ident, missing -> {
                try (ReadView view = engine.read()) {
                    return MetaRows.totals(view, missing);
                }
            });
        }

        void write(AppliedState state) {
            for (int ident : entries) {
                state.catalog()
                        .byIdent(ident)
                        .ifPresentOrElse(
                                entry -> batch.put(
                                        Family.META,
                                        MetaRows.collectionKey(ident),
                                        RawDocument.of(entry.toBson()).toByteArray()),
                                () -> batch.delete(Family.META, MetaRows.collectionKey(ident)));
            }
            counters.forEach((ident, sum) -> {
                if (state.catalog().byIdent(ident).isPresent()) {
                    totals.put(ident, sum);
                    batch.put(Family.META, MetaRows.totalsKey(ident), sum.encode());
                } else {
                    totals.remove(ident);
                    batch.delete(Family.META, MetaRows.totalsKey(ident));
                }
            });
            MetaRows.Position position = new MetaRows.Position(
                    state.position(), state.time(), state.catalog().highestIdent());
            batch.put(Family.META, MetaRows.positionKey(), position.encode());
        }
    }
}
