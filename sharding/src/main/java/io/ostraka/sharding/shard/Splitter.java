package io.ostraka.sharding.shard;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.Chunk;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.core.time.Clock;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.member.Member;
import io.ostraka.node.view.View;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonMaxKey;
import org.bson.BsonString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Splits chunks that have outgrown the chunk size. Writers tell it how many bytes go into which chunk; a chunk that got
 * a part of the chunk size since it was last looked at, or that is new here, is looked at by its index. Nothing
 * happens while the config servers are away: attempts come less and less often.
 */
public final class Splitter implements AutoCloseable {
    /**
     * How it works.
     *
     * @param part a chunk is looked at when this part of the chunk size has been written to it, as MongoDB did
     * @param lookMillis how often it looks for new chunks
     * @param firstPauseMillis after a failure
     * @param lastPauseMillis the longest pause after failures in a row
     */
    public record Limits(int part, long lookMillis, long firstPauseMillis, long lastPauseMillis) {
        public static final Limits DEFAULT = new Limits(5, 500, 500, 60_000);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Splitter.class);
    private static final long CALL_MILLIS = 30_000;
    /** Writes to the last chunk of which so many in a hundred go to its very end are a rising key. */
    private static final int RISING_PERCENT = 80;

    /** A chunk by its collection and lower end. */
    private record ChunkId(Namespace namespace, ByteBuffer min) {
        static ChunkId of(Namespace namespace, Chunk chunk) {
            return new ChunkId(namespace, ByteBuffer.wrap(chunk.range().min()));
        }
    }

    /** What was written to a chunk since it was looked at. */
    private static final class Written {
        private final AtomicLong bytes = new AtomicLong();
        private long writes;
        private long atTheEnd;
        private byte[] greatest;

        synchronized void note(byte[] key) {
            writes++;
            if (greatest == null || Arrays.compareUnsigned(key, greatest) > 0) {
                greatest = key;
                atTheEnd++;
            }
        }

        synchronized boolean isRising() {
            return writes > 0 && atTheEnd * 100 >= writes * RISING_PERCENT;
        }
    }

    private final Member member;
    private final PlacementRefresher refresher;
    private final ConfigLink config;
    private final Supplier<Optional<ShardIdentity>> identity;
    private final Clock clock;
    private final Limits limits;
    /** Chunks whose writes are counted. */
    private static final int CHUNKS = 100_000;

    private final Map<ChunkId, Written> written = new ConcurrentHashMap<>();
    /** Chunks looked at, with the version they had. Only the splitter's thread. */
    private final Map<ChunkId, Long> looked = new HashMap<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition due = lock.newCondition();
    private final Set<ChunkId> queue = new LinkedHashSet<>();
    private Thread thread;
    private boolean closed;

    public Splitter(
            Member member,
            PlacementRefresher refresher,
            ConfigLink config,
            Supplier<Optional<ShardIdentity>> identity,
            Clock clock,
            Limits limits) {
        this.member = member;
        this.refresher = refresher;
        this.config = config;
        this.identity = identity;
        this.clock = clock;
        this.limits = limits;
    }

    public void start() {
        thread = Thread.ofVirtual().name("splitter").start(this::loop);
    }

    /** A document of so many bytes was written under a key. Called by writers; cheap, never fails, never waits long. */
    public void wrote(Namespace namespace, byte[] key, int bytes) {
        Optional<KnownPlacement> known = refresher.known(namespace);
        if (known.isEmpty() || known.get().table().isEmpty() || !known.get().autosplit()) {
            return;
        }
        ChunkId id = ChunkId.of(namespace, known.get().table().get().chunkOf(key));
        if (written.size() > CHUNKS) {
            written.clear(); // chunks that are gone, mostly; others are looked at a little later
        }
        Written counter = written.computeIfAbsent(id, _ -> new Written());
        counter.note(key);
        long part = known.get().chunkBytes() / limits.part;
        long before = counter.bytes.getAndAdd(bytes);
        if (before < part && before + bytes >= part) {
            enqueue(id);
        }
    }

    private void enqueue(ChunkId id) {
        lock.lock();
        try {
            queue.add(id);
            due.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void loop() {
        long pause = limits.firstPauseMillis;
        Optional<ChunkId> next;
        while ((next = take(limits.lookMillis)).isPresent() || !isClosed()) {
            try {
                if (next.isPresent()) {
                    look(next.get());
                } else {
                    findNew();
                }
                pause = limits.firstPauseMillis;
            } catch (CommandException e) {
                LOG.debug("no split: {}", e.getMessage());
                next.ifPresent(this::enqueue);
                rest(pause);
                pause = Math.min(limits.lastPauseMillis, pause * 2);
            }
        }
    }

    private Optional<ChunkId> take(long millis) {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            while (queue.isEmpty() && !closed && left > 0) {
                left = due.awaitNanos(left);
            }
            if (queue.isEmpty() || closed) {
                return Optional.empty();
            }
            ChunkId first = queue.iterator().next();
            queue.remove(first);
            return Optional.of(first);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private void rest(long millis) {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            while (!closed && left > 0) {
                left = due.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed || Thread.currentThread().isInterrupted();
        } finally {
            lock.unlock();
        }
    }

    /** Chunks that came, or that were made from others, since the last look. */
    private void findNew() {
        Optional<ShardId> shard = identity.get().map(ShardIdentity::shard);
        if (shard.isEmpty()) {
            return;
        }
        for (CollectionEntry entry : member.views().catalog().all()) {
            if (entry.ownership().isEmpty()) {
                continue;
            }
            Optional<RoutingTable> table = refresher.known(entry.namespace()).flatMap(KnownPlacement::table);
            if (table.isEmpty()) {
                table = refresher.refresh(entry.namespace(), operation()).table();
            }
            table.ifPresent(known -> {
                for (Chunk chunk : known.chunks()) {
                    ChunkId id = ChunkId.of(entry.namespace(), chunk);
                    if (chunk.owner().equals(shard.get())
                            && !Long.valueOf(chunk.version()).equals(looked.get(id))) {
                        enqueue(id);
                    }
                }
            });
        }
    }

    private Operation operation() {
        return member.internal("autoSplit", Deadline.in(clock, CALL_MILLIS));
    }

    /** As long as it takes: a collection may have been large before it was sharded. Closing interrupts it. */
    private Operation walking() {
        return member.internal("autoSplit", Deadline.never(clock));
    }

    private void look(ChunkId id) {
        Optional<KnownPlacement> known = refresher.known(id.namespace);
        Optional<RoutingTable> table = known.flatMap(KnownPlacement::table);
        Optional<ShardId> shard = identity.get().map(ShardIdentity::shard);
        if (table.isEmpty() || shard.isEmpty()) {
            return;
        }
        Chunk chunk = table.get().chunkOf(id.min.array());
        Written writes = written.remove(id);
        if (!chunk.owner().equals(shard.get())
                || !ChunkId.of(id.namespace, chunk).equals(id)) {
            return;
        }
        if (known.get().autosplit()) {
            split(table.get(), chunk, known.get().chunkBytes(), writes != null && writes.isRising());
        }
        looked.put(id, chunk.version());
    }

    private void split(RoutingTable table, Chunk chunk, long chunkBytes, boolean rising) {
        SplitPoints found;
        try (View view = member.view()) {
            Optional<CollectionEntry> entry = view.find(table.namespace());
            if (entry.isEmpty()) {
                return;
            }
            found = SplitPoints.every(view, entry.get(), table.key(), chunk.range(), chunkBytes / 2, walking());
        }
        if (found.bytes() < chunkBytes) {
            return;
        }
        if (found.points().isEmpty()) {
            jumbo(table, chunk);
            return;
        }
        List<BsonDocument> points = new ArrayList<>(found.points());
        boolean top = rising && Arrays.equals(chunk.range().max(), table.key().highest());
        if (top && found.last().isPresent() && isAbove(table.key(), found.last().get(), points.getLast())) {
            // The top of a rising key is cut off right below its last document, so that moving it costs nothing.
            points.add(found.last().get());
        }
        commit(table, points);
        if (top) {
            moveTop(table, points.getLast());
        }
    }

    private static boolean isAbove(ShardKey key, BsonDocument one, BsonDocument other) {
        return Arrays.compareUnsigned(key.encodeBound(one), key.encodeBound(other)) > 0;
    }

    private void commit(RoutingTable table, List<BsonDocument> points) {
        BsonArray array = new BsonArray(points);
        BsonDocument command = new BsonDocument(
                        "_configsvrCommitSplit",
                        new BsonString(table.namespace().toString()))
                .append("version", table.highest().toRaw().toBson())
                .append("points", array);
        BsonDocument ignored = config.call(command, Deadline.in(clock, CALL_MILLIS));
        KnownPlacement now = refresher.refresh(table.namespace(), operation());
        // What came out is known to be small: only what is written to it from now on counts.
        now.table().ifPresent(after -> {
            for (Chunk part : after.chunks()) {
                if (part.version() > table.highest().asLong()) {
                    looked.put(ChunkId.of(table.namespace(), part), part.version());
                }
            }
        });
        LOG.info("split a chunk of {} into {}", table.namespace(), points.size() + 1);
    }

    private void jumbo(RoutingTable table, Chunk chunk) {
        try (View view = member.view()) {
            Optional<CollectionEntry> entry = view.find(table.namespace());
            Optional<BsonDocument> inside = entry.flatMap(
                    found -> SplitPoints.every(view, found, table.key(), chunk.range(), Long.MAX_VALUE, walking())
                            .last());
            if (inside.isPresent()) {
                BsonDocument ignored = config.call(
                        new BsonDocument(
                                        "_configsvrMarkJumbo",
                                        new BsonString(table.namespace().toString()))
                                .append("min", inside.get())
                                .append("jumbo", BsonBoolean.TRUE),
                        Deadline.in(clock, CALL_MILLIS));
            }
        }
    }

    private void moveTop(RoutingTable table, BsonDocument min) {
        BsonDocument max = new BsonDocument();
        table.key().fields().forEach(field -> max.put(field, new BsonMaxKey()));
        try {
            BsonDocument ignored = config.call(
                    new BsonDocument(
                                    "_configsvrMoveTopChunk",
                                    new BsonString(table.namespace().toString()))
                            .append("min", min)
                            .append("max", max),
                    Deadline.in(clock, CALL_MILLIS));
        } catch (CommandException e) {
            LOG.debug("the top chunk of {} stays: {}", table.namespace(), e.getMessage());
        }
    }

    /** The range of a chunk as users name it, and where it can be split: {@code _shardsvrSplitPoints}. */
    Optional<BsonDocument> median(Namespace namespace, ShardKey key, KeyRange range, Operation operation) {
        try (View view = member.view()) {
            return view.find(namespace).flatMap(entry -> SplitPoints.median(view, entry, key, range, operation));
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            due.signalAll();
        } finally {
            lock.unlock();
        }
        if (thread != null) {
            thread.interrupt();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
