package io.ostraka.sharding.shard;

import static io.ostraka.core.error.ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.MAX_TIME_MS_EXPIRED;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_EXISTS;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.KeyRanges;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.Ownership;
import io.ostraka.core.placement.PlacementVersion;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.member.Member;
import io.ostraka.node.view.View;
import io.ostraka.node.write.CollectionWriter;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;

/**
 * Makes a collection ready to be tracked, and names ready to be taken: what is written to either waits, in no
 * generation, until the change is through or given up. Safe for many threads.
 */
final class CollectionPreparation {
    private static final long FIRST_DRAIN_MILLIS = 200;
    private static final long LAST_DRAIN_MILLIS = 3_000;

    /** How often a preparation begins again because the collection is another one by then. */
    private static final int BEGINNINGS = 20;

    /** What a step says when the collection it began with is gone. */
    private static final Set<ErrorCode> GONE = Set.of(
            NAMESPACE_NOT_FOUND,
            NAMESPACE_EXISTS,
            ErrorCode.COLLECTION_UUID_MISMATCH,
            ErrorCode.INDEX_BUILD_ABORTED,
            ErrorCode.INDEX_NOT_FOUND);

    private final Member member;

    CollectionPreparation(Member member) {
        this.member = member;
    }

    /**
     * Makes the collection and its index where they are missing, and blocks its writers. A collection that is dropped
     * meanwhile is one that is missing.
     *
     * @return {@code {uuid, options, indexes, empty}}
     */
    BsonDocument prepare(SupportingIndex index, Operation operation) {
        for (int begun = 1; ; begun++) {
            try {
                return once(index, operation);
            } catch (CommandException gone) {
                if (!GONE.contains(gone.code())) {
                    throw gone;
                }
                operation.checkAlive();
                if (begun == BEGINNINGS) {
                    throw CONFLICTING_OPERATION_IN_PROGRESS.because(
                            "'%s' is dropped and made again all the time; try again when that has ended",
                            index.namespace());
                }
            }
        }
    }

    private BsonDocument once(SupportingIndex index, Operation operation) {
        Namespace namespace = index.namespace();
        Optional<CollectionEntry> existing = member.views().catalog().find(namespace);
        existing.ifPresent(entry -> {
            entry.checkIsCollection();
            if (entry.capped().isPresent()) {
                throw INVALID_OPTIONS.because("Capped collection '%s' cannot be sharded", namespace);
            }
        });
        Optional<IndexDefinition> missing = index.missing(existing, existing.isEmpty() || isEmpty(namespace));
        boolean ignored = member.collections().create(namespace, definition(existing, missing), operation);
        if (existing.isPresent() && missing.isPresent()) {
            member.indexes().create(namespace, List.of(missing.get()), operation);
        }
        UUID uuid = member.views().catalog().get(namespace).uuid();
        block(index, uuid, operation);
        CollectionEntry entry = member.views().catalog().get(namespace);
        BsonArray indexes = new BsonArray();
        entry.indexes().stream()
                .filter(each -> each.isReady() && !each.definition().isId())
                .forEach(each -> indexes.add(each.definition().toDocument().toBson()));
        return new BsonDocument("uuid", new BsonBinary(entry.uuid()))
                .append("options", entry.options())
                .append("indexes", indexes)
                .append("empty", BsonBoolean.valueOf(isEmpty(namespace)));
    }

    private static CollectionWriter.Definition definition(
            Optional<CollectionEntry> existing, Optional<IndexDefinition> missing) {
        return new CollectionWriter.Definition(
                existing.map(CollectionEntry::uuid),
                existing.map(CollectionEntry::options).orElseGet(BsonDocument::new),
                Optional.empty(),
                existing.isEmpty() ? missing.stream().toList() : List.of(),
                Optional.empty());
    }

    boolean isEmpty(Namespace namespace) {
        try (View view = member.view()) {
            return view.find(namespace)
                    .map(entry -> view.totals(entry).documents() == 0)
                    .orElse(true);
        }
    }

    private static KeyRange all(ShardKey key) {
        return new KeyRange(key.lowest(), key.highest());
    }

    /** Everything is owned and blocked, in no generation. */
    private static Ownership blocked(ShardKey key) {
        PlacementVersion none = new PlacementVersion(Generation.UNTRACKED, 0, 0);
        return Ownership.of(key, none, KeyRanges.of(List.of(all(key)))).block(all(key));
    }

    /**
     * Writers wait until they are released, and then look again. A statement of many documents that has begun may have
     * to write once more before it ends, so the block is lifted again, for longer and longer, where such a one does not
     * end soon.
     */
    private void block(SupportingIndex index, UUID uuid, Operation operation) {
        Namespace namespace = index.namespace();
        long millis = FIRST_DRAIN_MILLIS;
        while (true) {
            setBlocked(index, uuid, operation);
            Operation draining = member.internal(
                    "shardCollection", Deadline.in(member.settings().clock(), millis));
            try {
                int ident = member.views().catalog().get(namespace).ident();
                member.term().locks().drain(ident, all(index.key()), draining);
                return;
            } catch (CommandException e) {
                lift(namespace, operation);
                if (e.code() != MAX_TIME_MS_EXPIRED) {
                    throw e;
                }
            }
            operation.checkAlive();
            boolean ignored = operation.waitFor(new CompletableFuture<>(), millis * 1_000_000);
            millis = Math.min(LAST_DRAIN_MILLIS, millis * 2);
        }
    }

    private void setBlocked(SupportingIndex index, UUID uuid, Operation operation) {
        Namespace namespace = index.namespace();
        member.transact(List.of(), List.of(namespace), operation, evaluation -> {
            CollectionEntry entry = evaluation
                    .view()
                    .find(namespace)
                    .filter(found -> found.uuid().equals(uuid))
                    .orElseThrow(() -> NAMESPACE_NOT_FOUND.because("'%s' was dropped meanwhile", namespace));
            boolean empty = evaluation.view().totals(entry).documents() == 0;
            if (index.missing(Optional.of(entry), empty).isPresent()) {
                throw ErrorCode.INDEX_NOT_FOUND.because("the index for the shard key was dropped meanwhile");
            }
            Optional<Ownership> now = evaluation.ownership(namespace);
            if (now.isPresent() && !now.get().isPrepared()) {
                throw CONFLICTING_OPERATION_IN_PROGRESS.because("'%s' is sharded already", namespace);
            }
            evaluation.setOwnership(namespace, Optional.of(blocked(index.key())));
            return null;
        });
    }

    private void lift(Namespace namespace, Operation operation) {
        member.transact(List.of(), List.of(namespace), operation, evaluation -> {
            if (evaluation.ownership(namespace).filter(Ownership::isPrepared).isPresent()) {
                evaluation.setOwnership(namespace, Optional.empty());
            }
            return null;
        });
    }

    /**
     * Takes a name for a collection that is to get it: an empty collection stands there, and whoever writes to it waits.
     *
     * @param uuid of the empty collection; asking again with the same one changes nothing
     * @throws CommandException 48 NamespaceExists if a collection of the name exists
     */
    void reserve(Namespace namespace, UUID uuid, ShardKey key, Operation operation) {
        CollectionWriter.Definition empty = new CollectionWriter.Definition(
                Optional.of(uuid), new BsonDocument(), Optional.empty(), List.of(), Optional.of(blocked(key)));
        try {
            boolean ignored = member.collections().create(namespace, empty, operation);
        } catch (CommandException other) {
            throw GONE.contains(other.code())
                    ? NAMESPACE_EXISTS.because("target namespace exists: %s", namespace)
                    : other;
        }
    }

    /** Gives a reserved name back. */
    void release(Namespace namespace, UUID uuid, Operation operation) {
        boolean reserved = member.views()
                .catalog()
                .find(namespace)
                .filter(entry -> entry.uuid().equals(uuid))
                .isPresent();
        if (reserved) {
            boolean ignored = member.collections().drop(namespace, operation);
        }
    }
}
