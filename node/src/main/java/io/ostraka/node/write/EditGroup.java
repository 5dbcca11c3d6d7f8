package io.ostraka.node.write;

import static io.ostraka.core.error.ErrorCode.BSON_OBJECT_TOO_LARGE;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.WOULD_CHANGE_OWNING_SHARD;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.RecordId;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.lock.IndexKey;
import io.ostraka.node.lock.LockSet;
import io.ostraka.node.view.PresentView;
import io.ostraka.node.view.Selection;
import io.ostraka.node.view.View;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;

/**
 * Edits a few documents in one proposal: locks them in RecordId order, reads them again, evaluates, locks the keys they
 * take, checks them, proposes. One thread, used once.
 */
final class EditGroup {
    /**
     * What became of the group.
     *
     * @param matched documents that were still there and still matched
     * @param modified those among them that were changed or deleted
     * @param blocked whether a document is being handed over: then nothing was done, and the caller waits and tries again
     * @param before the last document edited, as it was
     * @param after the same as it is now, unless it was deleted
     */
    record Result(
            int matched, int modified, boolean blocked, Optional<RawDocument> before, Optional<RawDocument> after) {
        static final Result BLOCKED = new Result(0, 0, true, Optional.empty(), Optional.empty());
    }

    private record Edited(
            RecordId id,
            RawDocument before,
            Optional<RawDocument> after,
            List<DocumentKeys> keysBefore,
            List<DocumentKeys> keysAfter) {}

    private final WriteParts parts;
    private final LockSet locks;
    private final CollectionEntry collection;
    private final Selection selection;
    private final Edit edit;
    private final boolean many;
    private final Recorded recorded;
    private final PresentView present;
    private final Operation operation;
    private final List<Edited> edited = new ArrayList<>();
    private int matched;
    private Optional<RawDocument> lastBefore = Optional.empty();
    private Optional<RawDocument> lastAfter = Optional.empty();

    /**
     * @param many whether it is part of an edit of all documents that match, which keep their shard keys
     * @param recorded of the one document there is, where it is a retryable write
     * @param present closed before the proposal: a snapshot is not kept while that is written
     * @param locks holds the collection; let go of by {@link #run} in every case
     */
    EditGroup(
            WriteParts parts,
            LockSet locks,
            CollectionEntry collection,
            Selection selection,
            Edit edit,
            boolean many,
            Recorded recorded,
            PresentView present,
            Operation operation) {
        this.parts = parts;
        this.locks = locks;
        this.collection = collection;
        this.selection = selection;
        this.edit = edit;
        this.many = many;
        this.recorded = recorded;
        this.present = present;
        this.operation = operation;
    }

    /** @param seen the documents as they were found */
    Result run(Map<RecordId, RawDocument> seen) {
        boolean proposed = false;
        try {
            if (!edit.frees()) {
                parts.proposer().checkDisk();
            }
            Map<RecordId, RawDocument> inOrder = seen.size() == 1 ? seen : new TreeMap<>(seen);
            inOrder.forEach((id, document) ->
                    locks.document(collection.ident(), id, Placement.shardKey(collection, document), operation));
            View view = present.get(); // of what was written before these locks were free
            for (Map.Entry<RecordId, RawDocument> each : inOrder.entrySet()) {
                if (!evaluate(view, each.getKey(), each.getValue())) {
                    return Result.BLOCKED;
                }
            }
            ChangeList changes = changes();
            present.close();
            recorded.session().addTo(changes, collection.uuid(), locks);
            proposed = true;
            parts.proposer().propose(locks, changes, operation);
            return new Result(matched, edited.size(), false, lastBefore, lastAfter);
        } finally {
            if (!proposed) {
                present.close();
                locks.close();
            }
        }
    }

    /** False if the document, before or after, is being handed over. */
    private boolean evaluate(View view, RecordId id, RawDocument seen) {
        Optional<RawDocument> found = view.document(collection, id);
        if (found.isEmpty()
                || !found.get().equals(seen) && !selection.test(collection).test(found.get())) {
            return true;
        }
        RawDocument before = found.get();
        Optional<RawDocument> after = edit.apply(before);
        after.ifPresent(EditGroup::checkSize);
        if (!mayStay(id, before, after)) {
            return false;
        }
        matched++;
        lastBefore = Optional.of(before);
        lastAfter = after;
        if (after.isEmpty() || !after.get().equals(before)) {
            after.ifPresent(document -> parts.validators().check(collection, before, document));
            edited.add(new Edited(
                    id,
                    before,
                    after,
                    parts.indexer().keys(collection, before),
                    after.map(document -> parts.indexer().keys(collection, document))
                            .orElse(List.of())));
        }
        return true;
    }

    private static void checkSize(RawDocument document) {
        if (document.size() > NewDocument.MAX_BYTES) {
            throw BSON_OBJECT_TOO_LARGE.because(
                    "Resulting document after update is larger than %d", NewDocument.MAX_BYTES);
        }
    }

    /** Asks for ownership of both keys, after both are known to whoever drains a range. */
    private boolean mayStay(RecordId id, RawDocument before, Optional<RawDocument> after) {
        Optional<byte[]> keyBefore = Placement.shardKey(collection, before);
        if (keyBefore.isEmpty()) {
            return true; // sharded since or not: a document stays where it is, and this lock is in the way of its move
        }
        locks.concerns(collection.ident(), id, keyBefore.get());
        Optional<byte[]> keyAfter = after.flatMap(document -> Placement.shardKey(collection, document));
        keyAfter.ifPresent(key -> locks.concerns(collection.ident(), id, key));
        CollectionEntry now =
                parts.views().catalog().byIdent(collection.ident()).orElse(collection);
        Placement placement = Placement.of(now, collection, keyBefore);
        if (placement == Placement.UNOWNED) {
            throw parts.guard().unowned(operation, now);
        }
        if (placement == Placement.BLOCKED) {
            return false;
        }
        keyAfter.ifPresent(key -> parts.guard().wrote(now, key, after.get().size()));
        if (keyAfter.isEmpty() || Arrays.equals(keyBefore.get(), keyAfter.get())) {
            return true;
        }
        if (many) {
            throw INVALID_OPTIONS.because("Multi-update operations are not allowed when updating the shard key field."
                    + " Change it by an update of one document each");
        }
        return switch (Placement.of(now, collection, keyAfter)) {
            case OWNED -> true;
            case BLOCKED -> false;
            case UNOWNED ->
                throw WOULD_CHANGE_OWNING_SHARD
                        .because("the update changes the shard key to one that another shard owns")
                        .with(new BsonDocument("preImage", before.toBson())
                                .append("postImage", after.get().toBson())
                                .append("shouldUpsert", BsonBoolean.FALSE));
        };
    }

    private ChangeList changes() {
        List<IndexKey> fresh = new ArrayList<>();
        for (Edited each : edited) {
            for (int i = 0; i < each.keysAfter.size(); i++) {
                UniqueCheck.toLock(each.keysAfter.get(i), each.keysBefore.get(i).keys(), fresh);
            }
        }
        ChangeList changes = parts.changes();
        recorded.session().undo();
        recorded.under(0, changes);
        changes.replacing(edit.replaces());
        if (!edited.isEmpty()) {
            recorded.did(0, new Editor.Outcome(matched, edited.size(), Optional.empty(), lastBefore, lastAfter));
        }
        if (fresh.isEmpty()) {
            edited.forEach(each -> add(changes, each));
            return changes;
        }
        locks.keys(fresh, operation);
        try (UniqueCheck unique = UniqueCheck.of(present.get(), collection)) {
            for (Edited each : edited) {
                if (each.after.isPresent()) {
                    unique.take(each.id, each.keysAfter, each.keysBefore);
                } else {
                    unique.free(each.id, each.keysBefore);
                }
                add(changes, each);
            }
        }
        return changes;
    }

    private void add(ChangeList changes, Edited each) {
        if (each.after.isPresent()) {
            changes.update(collection, each.id, each.before, each.after.get(), each.keysBefore, each.keysAfter, true);
        } else {
            changes.delete(collection, each.id, each.before, each.keysBefore, true);
        }
    }
}
