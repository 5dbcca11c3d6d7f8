package io.ostraka.node.write;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.view.View;
import io.ostraka.storage.Rows;
import io.ostraka.wire.command.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forgets the records of sessions that have written nothing for long: no driver sends a write again after that. One
 * thread, from opening to closing; works while this member leads.
 */
public final class SessionExpiry implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(SessionExpiry.class);

    /**
     * How long records stay.
     *
     * @param kept after the last write, at least
     * @param pause between two looks at them
     */
    public record Limits(Duration kept, Duration pause) {
        public static final Limits DEFAULT = new Limits(Duration.ofMinutes(30), Duration.ofMinutes(5));
    }

    private final WriteParts parts;
    private final Limits limits;
    private final Operation operation;

    /** @param operation killed when the member closes */
    public SessionExpiry(WriteParts parts, Limits limits, Operation operation) {
        this.parts = parts;
        this.limits = limits;
        this.operation = operation;
    }

    @Override
    public void run() {
        while (true) {
            try {
                if (operation.waitFor(new CompletableFuture<>(), limits.pause().toNanos())) {
                    throw new IllegalStateException("nobody completes a pause");
                }
            } catch (CommandException over) {
                LOG.debug("session records are looked at no more: {}", over.getMessage());
                return;
            }
            try {
                int unused = expire();
            } catch (CommandException notNow) {
                LOG.debug("session records are kept for now: {}", notNow.getMessage());
            }
        }
    }

    /** Forgets those that are old, and answers how many they were. */
    public int expire() {
        long before = parts.clock().wallMillis() - limits.kept().toMillis();
        List<RawDocument> old = new ArrayList<>();
        try (View view = parts.views().open()) {
            Optional<CollectionEntry> collection = view.find(SessionWriter.TRANSACTIONS);
            if (collection.isEmpty()) {
                return 0;
            }
            try (Rows rows = view.records(collection.get())) {
                for (boolean on = rows.first(); on; on = rows.next()) {
                    SessionRecord record = SessionRecord.of(RawDocument.of(rows.value()));
                    if (record.wallMillis() < before) {
                        old.add(record.lsid());
                    }
                }
            }
        }
        SessionWriter writer = new SessionWriter(parts);
        int forgotten = 0;
        for (int from = 0; from < old.size(); from += WriteLimits.BACKGROUND_DOCUMENTS) {
            int to = Math.min(old.size(), from + WriteLimits.BACKGROUND_DOCUMENTS);
            forgotten += writer.forget(old.subList(from, to), before, operation);
        }
        return forgotten;
    }
}
