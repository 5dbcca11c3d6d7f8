package io.ostraka.node.watch;

import static io.ostraka.core.error.ErrorCode.CHANGE_STREAM_HISTORY_LOST;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.change.OplogRow;
import io.ostraka.node.view.OplogReader;
import io.ostraka.node.view.View;
import io.ostraka.node.view.Views;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.cursor.BatchReply;
import io.ostraka.wire.cursor.OpenCursor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The cursor of a change stream. A {@code getMore} that finds nothing new waits as long as its {@code maxTimeMS} says, a
 * second otherwise, and is woken by the Applier. Every batch has the token after all it has looked at, so that a stream on
 * a quiet collection can be resumed from near the present.
 */
public final class ChangeStream implements OpenCursor {
    private static final long WAITS_MILLIS = 1_000;

    /** So long before its time is over a wait ends, so that the answer is not late. */
    private static final long MARGIN_NANOS = 2_000_000;

    /** Events, and bytes of them, that are read ahead of the batches. */
    private static final int AHEAD_EVENTS = 100;

    private static final int AHEAD_BYTES = 4 << 20;

    /** One event, and the place after it. */
    private record Pending(Optional<RawDocument> event, ResumeToken after) {}

    private final Views views;
    private final ChangeEvents events;
    private final Function<RawDocument, Optional<RawDocument>> rest;
    private final Deque<Pending> pending = new ArrayDeque<>();
    private int pendingBytes;
    private long time;
    private int row;
    private boolean skipsFirst;
    private boolean opened;
    private boolean ended;
    private ResumeToken reached;

    /**
     * Opens one.
     *
     * @param rest the stages behind {@code $changeStream}, for one event; empty where it is left out
     * @throws io.ostraka.core.error.CommandException 286 ChangeStreamHistoryLost if it is to begin before the oplog does
     */
    public static ChangeStream open(Views views, StreamSpec spec, Function<RawDocument, Optional<RawDocument>> rest) {
        try (View view = views.open()) {
            StreamSpec.From from = spec.from().orElseGet(() -> new StreamSpec.From(view.time() + 1, 0));
            if (Long.compareUnsigned(from.time(), view.oplogFrom()) < 0) {
                throw CHANGE_STREAM_HISTORY_LOST
                        .because("Resume of change stream was not possible, as the resume point may no longer be in the"
                                + " oplog.")
                        .labelled("NonResumableChangeStreamError");
            }
            return new ChangeStream(views, spec, rest, from);
        }
    }

    private ChangeStream(
            Views views, StreamSpec spec, Function<RawDocument, Optional<RawDocument>> rest, StreamSpec.From from) {
        this.views = views;
        this.rest = rest;
        events = new ChangeEvents(spec);
        time = from.time();
        row = from.row();
        skipsFirst = from.shown();
        reached = skipsFirst || row > 0
                ? new ResumeToken(time, skipsFirst ? row : row - 1, ResumeToken.Kind.EVENT)
                : ResumeToken.highWater(time - 1);
    }

    @Override
    public boolean fill(BatchReply batch, Operation asked) {
        // The request's time is how long to wait for an event, not when to fail.
        Operation operation = asked.unhurried();
        Deadline until =
                asked.deadline().isNever() ? Deadline.in(asked.deadline().clock(), WAITS_MILLIS) : asked.deadline();
        boolean mayWait = opened;
        opened = true;
        while (!take(batch)) {
            long seen = read(operation);
            boolean idle = pending.isEmpty();
            if (idle && batch.count() > 0) {
                break;
            }
            if (idle) {
                long left = until.nanosLeft() - MARGIN_NANOS;
                if (!mayWait || left <= 0) {
                    break;
                }
                boolean unused = operation.waitFor(views.progress().reaches(seen + 1), left);
            }
        }
        batch.with("postBatchResumeToken", reached.toRaw().toBson());
        return ended && pending.isEmpty();
    }

    /** Moves what is pending into the batch; true if that is full, or the stream has ended. */
    private boolean take(BatchReply batch) {
        while (!pending.isEmpty()) {
            Pending next = pending.peek();
            if (next.event().isPresent()
                    && (batch.isFull() || !batch.add(next.event().get()))) {
                return true;
            }
            reached = next.after();
            pending.remove();
            pendingBytes -= next.event().map(RawDocument::size).orElse(0);
        }
        return ended || batch.isFull();
    }

    /** Reads what is new up to the first events; answers up to which time it has looked. */
    private long read(Operation operation) {
        try (View view = views.open();
                OplogReader reader = new OplogReader(view, time, row)) {
            checkKept(view);
            Optional<OplogRow> next = reader.next();
            while (next.isPresent()) {
                operation.checkAlive();
                show(next.get(), view);
                time = next.get().time();
                row = next.get().number() + 1;
                if (pending.size() >= AHEAD_EVENTS || pendingBytes >= AHEAD_BYTES || ended) {
                    return view.time();
                }
                next = reader.next();
            }
            if (Long.compareUnsigned(view.time(), time) >= 0) {
                time = view.time() + 1;
                row = 0;
                pending.add(new Pending(Optional.empty(), ResumeToken.highWater(view.time())));
            }
            return view.time();
        }
    }

    private void checkKept(View view) {
        if (Long.compareUnsigned(time, view.oplogFrom()) < 0) {
            throw CHANGE_STREAM_HISTORY_LOST
                    .because("the change stream is behind the beginning of the oplog: what it has not read is gone")
                    .labelled("NonResumableChangeStreamError");
        }
    }

    private void show(OplogRow of, View view) {
        ChangeEvents.Shown shown = events.of(of, view);
        boolean again = skipsFirst && of.time() == time && of.number() == row;
        skipsFirst = false;
        List<RawDocument> all = shown.events();
        for (RawDocument event : again && !all.isEmpty() ? all.subList(1, all.size()) : all) {
            ResumeToken after = ResumeToken.of(event.find("_id").document());
            Optional<RawDocument> left = rest.apply(event);
            pendingBytes += left.map(RawDocument::size).orElse(0);
            pending.add(new Pending(left, after));
        }
        ended = shown.ends();
    }

    @Override
    public void close() {
        pending.clear();
    }
}
