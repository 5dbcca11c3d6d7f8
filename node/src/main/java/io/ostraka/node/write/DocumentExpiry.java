package io.ostraka.node.write;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.path.FieldPath;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.node.view.Selection;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.ValueTest;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.query.run.RunContext;
import io.ostraka.wire.command.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.bson.BsonDateTime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes documents whose time has come, by the indexes with {@code expireAfterSeconds}: those whose indexed field holds a
 * date, or an array with one, that is so long ago. Of a sharded collection each shard deletes what it owns. One thread,
 * from opening to closing; works while this member leads.
 */
public final class DocumentExpiry implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(DocumentExpiry.class);

    /** Between two looks at all indexes; MongoDB's own. */
    public static final Duration PAUSE = Duration.ofSeconds(60);

    private final WriteParts parts;
    private final Supplier<RunContext> contexts;
    private final Duration pause;
    private final Operation operation;

    /**
     * @param contexts what a query may know
     * @param operation killed when the leadership is over
     */
    public DocumentExpiry(WriteParts parts, Supplier<RunContext> contexts, Duration pause, Operation operation) {
        this.parts = parts;
        this.contexts = contexts;
        this.pause = pause;
        this.operation = operation;
    }

    @Override
    public void run() {
        while (true) {
            try {
                if (operation.waitFor(new CompletableFuture<>(), pause.toNanos())) {
                    throw new IllegalStateException("nobody completes a pause");
                }
                long unused = expire();
            } catch (CommandException over) {
                LOG.debug("documents expire no more here: {}", over.getMessage());
                return;
            }
        }
    }

    /**
     * Deletes all that have expired, and answers how many they were. What cannot be deleted now is left for the next time.
     *
     * @throws CommandException if the operation is over
     */
    public long expire() {
        long deleted = 0;
        for (CollectionEntry collection : parts.views().catalog().all()) {
            if (collection.expiresBy().isPresent()) {
                operation.checkAlive();
                deleted += expire(
                        collection,
                        FieldPath.of(collection.expiresBy().get()),
                        collection.options().getNumber("expireAfterSeconds").longValue(),
                        Optional.empty(),
                        collection.collation());
            }
            for (IndexEntry index : collection.indexes()) {
                if (index.isReady() && index.definition().expireAfterSeconds().isPresent()) {
                    operation.checkAlive();
                    deleted += expire(
                            collection,
                            index.definition().fields().getFirst().path(),
                            index.definition().expireAfterSeconds().getAsLong(),
                            index.definition().partial(),
                            index.definition().collation());
                }
            }
        }
        return deleted;
    }

    private long expire(
            CollectionEntry collection, FieldPath path, long seconds, Optional<Filter> partial, Collation collation) {
        long before = parts.clock().wallMillis() - 1_000 * seconds;
        List<Filter> all = new ArrayList<>();
        all.add(new Filter.Field(
                path, new ValueTest.Compare(ValueTest.Comparison.LESS_OR_EQUAL, new BsonDateTime(before))));
        partial.ifPresent(all::add);
        RunContext context = contexts.get().with(collation);
        FindQuery query = FindQuery.of(all.size() == 1 ? all.getFirst() : new Filter.And(all))
                .collated(collation);
        try {
            return new Editor(parts)
                    .many(collection.namespace(), Selection.of(query, context), Edit.DELETE, operation)
                    .modified();
        } catch (CommandException notNow) {
            operation.checkAlive();
            LOG.info("documents of {} do not expire now: {}", collection.namespace(), notNow.getMessage());
            return 0;
        }
    }
}
