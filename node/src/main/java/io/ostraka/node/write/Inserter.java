package io.ostraka.node.write;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.lock.IndexKey;
import io.ostraka.node.lock.LockSet;
import io.ostraka.node.view.CatalogWatch;
import io.ostraka.node.view.PresentView;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Inserts documents. Documents go into the log together, about a megabyte at a time. Safe for many threads. */
public final class Inserter {
    /**
     * What became of the documents.
     *
     * @param inserted how many are stored
     * @param last the last document stored, as it is stored
     * @param errors why the others are not, in order; an ordered insert has at most one and stopped there
     */
    public record Outcome(int inserted, Optional<RawDocument> last, List<WriteError> errors) {}

    private record Ready(int index, RawDocument document, List<DocumentKeys> keys, Optional<byte[]> shardKey) {}

    private final WriteParts parts;

    public Inserter(WriteParts parts) {
        this.parts = parts;
    }

    public Outcome insert(Namespace namespace, List<RawDocument> documents, boolean ordered, Operation operation) {
        return insert(namespace, documents, ordered, Recorded.NOT, operation);
    }

    /** The same as a retryable write; the places of its statements are those of the documents. */
    public Outcome insert(
            Namespace namespace, List<RawDocument> documents, boolean ordered, Recorded recorded, Operation operation) {
        Optional<Transaction> transaction = parts.transactions().of(operation);
        if (transaction.isPresent()) {
            return new TransactionWriter(parts, transaction.get(), operation).insert(namespace, documents);
        }
        SessionWriter.checkOpen(namespace);
        Run run = new Run(namespace, documents, ordered, recorded, operation);
        run.all();
        return new Outcome(run.inserted, run.last, List.copyOf(run.errors));
    }

    /** One insert command. One thread. */
    private final class Run {
        private final Namespace namespace;
        private final List<RawDocument> documents;
        private final boolean ordered;
        private final Recorded recorded;
        private final Operation operation;
        private final CatalogWatch watch;
        private final List<WriteError> errors = new ArrayList<>();
        private int inserted;
        private Optional<RawDocument> last = Optional.empty();
        private int next;
        private boolean stopped;

        Run(Namespace namespace, List<RawDocument> documents, boolean ordered, Recorded recorded, Operation operation) {
            this.namespace = namespace;
            this.documents = documents;
            this.ordered = ordered;
            this.recorded = recorded;
            this.operation = operation;
            this.watch = parts.views().watch(operation);
        }

        void all() {
            while (next < documents.size() && !stopped) {
                operation.checkAlive();
                try {
                    step();
                } catch (CommandException stale) {
                    if (stale.code().kind() != ErrorCode.Kind.ROUTING || inserted == 0 && errors.isEmpty()) {
                        throw stale;
                    }
                    // Some are in already: the router must send the rest again, and only the rest.
                    int last = ordered ? next : documents.size() - 1;
                    for (int index = next; index <= last; index++) {
                        errors.add(new WriteError(index, stale));
                    }
                    stopped = true;
                }
            }
            errors.sort(Comparator.comparing(WriteError::index));
        }

        private void step() {
            parts.proposer().checkDisk();
            watch.note();
            Term term = parts.terms().current();
            LockSet locks = term.locks().begin().collection(namespace, false, operation);
            boolean handedOn = false;
            try {
                Optional<CollectionEntry> collection = parts.views().catalog().find(namespace);
                parts.guard().check(operation, namespace, collection);
                collection.ifPresent(CollectionEntry::checkIsCollection);
                handedOn = true;
                if (collection.isEmpty()) {
                    locks.close();
                    parts.guard().checkImplicitCreate(operation, namespace);
                    parts.collections().createImplicitly(namespace, operation);
                } else if (!group(term, locks, collection.get())) {
                    watch.await();
                }
            } finally {
                if (!handedOn) {
                    locks.close();
                }
            }
        }

        /** Inserts the next group; false if it could not begin because its first document is being handed over. */
        private boolean group(Term term, LockSet locks, CollectionEntry collection) {
            boolean proposed = false;
            try {
                int from = next;
                List<Ready> group = prepare(collection);
                List<RecordId> ids = lock(term, locks, collection, group);
                ChangeList changes = parts.changes();
                recorded.session().undo();
                int evaluated = 0;
                try (PresentView present = recorded.session().present(parts.views());
                        UniqueCheck unique = UniqueCheck.of(present.get(), collection)) {
                    CollectionEntry now = unique.collection();
                    while (evaluated < group.size()) {
                        Ready ready = group.get(evaluated);
                        Placement placement = Placement.of(now, collection, ready.shardKey);
                        if (placement == Placement.BLOCKED) {
                            next = ready.index;
                            errors.removeIf(error -> error.index() >= ready.index);
                            stopped = false;
                            break;
                        }
                        if (!insert(changes, unique, now, ids.get(evaluated), ready, placement) && ordered) {
                            next = documents.size();
                            errors.removeIf(error -> error.index() > ready.index);
                            stopped = true;
                            break;
                        }
                        evaluated++;
                    }
                }
                int count = changes.records();
                recorded.session().addTo(changes, collection.uuid(), locks);
                proposed = true;
                parts.proposer().propose(locks, changes, operation);
                inserted += count;
                if (count > 0) {
                    collection.capped().ifPresent(_ -> parts.capped().trim(collection, operation));
                }
                return next > from || stopped;
            } finally {
                if (!proposed) {
                    locks.close();
                }
            }
        }

        private boolean insert(
                ChangeList changes,
                UniqueCheck unique,
                CollectionEntry collection,
                RecordId id,
                Ready ready,
                Placement placement) {
            try {
                if (placement == Placement.UNOWNED) {
                    throw parts.guard().unowned(operation, collection);
                }
                unique.take(id, ready.keys, List.of());
                recorded.under(ready.index, changes);
                changes.insert(collection, id, ready.document, ready.keys, true);
                recorded.did(ready.index, new Editor.Outcome(ready.document));
                ready.shardKey.ifPresent(key -> parts.guard().wrote(collection, key, ready.document.size()));
                last = Optional.of(ready.document);
                return true;
            } catch (CommandException refused) {
                errors.add(new WriteError(ready.index, refused));
                return false;
            }
        }

        /** Makes the next documents ready, up to the size of a proposal; an ordered insert stops at the first that cannot be. */
        private List<Ready> prepare(CollectionEntry collection) {
            List<Ready> group = new ArrayList<>();
            long bytes = 0;
            while (next < documents.size()
                    && bytes < WriteLimits.PROPOSAL_BYTES
                    && group.size() < WriteLimits.PROPOSAL_DOCUMENTS) {
                int index = next++;
                try {
                    RawDocument document =
                            NewDocument.prepare(documents.get(index), parts.ids(), parts.proposer()::reading);
                    parts.validators().check(collection, document);
                    group.add(new Ready(
                            index,
                            document,
                            parts.indexer().keys(collection, document),
                            Placement.shardKey(collection, document)));
                    bytes += document.size();
                } catch (CommandException refused) {
                    errors.add(new WriteError(index, refused));
                    if (ordered) {
                        stopped = true;
                        next = documents.size();
                    }
                }
            }
            return group;
        }

        private List<RecordId> lock(Term term, LockSet locks, CollectionEntry collection, List<Ready> group) {
            List<RecordId> ids = new ArrayList<>();
            List<IndexKey> keys = new ArrayList<>();
            for (Ready ready : group) {
                RecordId id = term.nextRecord(collection);
                locks.document(collection.ident(), id, ready.shardKey, operation);
                ids.add(id);
                keys.addAll(UniqueCheck.toLock(ready.keys));
            }
            locks.keys(keys, operation);
            return ids;
        }
    }
}
