package io.ostraka.sharding.catalog;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.member.Member;
import io.ostraka.node.view.Lookup;
import io.ostraka.node.view.View;
import io.ostraka.node.write.CollectionWriter;
import io.ostraka.storage.Rows;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;

/** The {@code config} database of a member. Each commit is one proposal. */
public final class MemberStore implements CatalogStore {
    /** Within which a commit must be decided. */
    private static final long COMMIT_MILLIS = 30_000;

    private final Member member;
    private final AtomicLong lastTick = new AtomicLong();

    public MemberStore(Member member) {
        this.member = member;
    }

    /** Makes the capped collections there must be; nothing where they are. */
    public void prepare() {
        capped(Changelog.CHANGES, Changelog.CHANGES_BYTES);
        capped(Changelog.ACTIONS, Changelog.ACTIONS_BYTES);
    }

    private void capped(String name, long bytes) {
        Namespace namespace = namespace(name);
        if (member.views().catalog().find(namespace).isPresent()) {
            return;
        }
        BsonDocument options = new BsonDocument("capped", BsonBoolean.TRUE).append("size", new BsonInt64(bytes));
        boolean unused = member.collections()
                .create(
                        namespace,
                        new CollectionWriter.Definition(
                                Optional.empty(),
                                options,
                                Optional.of(new CollectionEntry.Capped(bytes, 0)),
                                List.of(),
                                Optional.empty()),
                        operation());
    }

    private static Namespace namespace(String collection) {
        return new Namespace("config", collection);
    }

    private Operation operation() {
        return member.internal("catalog", Deadline.in(member.settings().clock(), COMMIT_MILLIS));
    }

    @Override
    public List<BsonDocument> find(String collection, BsonDocument filter) {
        List<BsonDocument> found = new ArrayList<>();
        try (View view = member.view()) {
            Optional<CollectionEntry> entry = view.find(namespace(collection));
            if (entry.isEmpty()) {
                return found;
            }
            try (Rows rows = view.records(entry.get())) {
                for (boolean on = rows.first(); on; on = rows.next()) {
                    RawDocument document = RawDocument.of(rows.value());
                    boolean matches = filter.entrySet().stream()
                            .allMatch(field -> field.getValue().equals(document.get(field.getKey())));
                    if (matches) {
                        found.add(document.toBson());
                    }
                }
            }
        }
        return found;
    }

    @Override
    public Optional<BsonDocument> get(String collection, BsonValue id) {
        try (View view = member.view()) {
            return view.find(namespace(collection))
                    .flatMap(entry -> Lookup.byId(view, entry, KeyString.of(id)))
                    .map(found -> found.document().toBson());
        }
    }

    @Override
    public void commit(List<Change> changes) {
        Set<Namespace> collections = new HashSet<>();
        for (Change change : changes) {
            switch (change) {
                case Change.Put(var name, var ignored) -> collections.add(namespace(name));
                case Change.Delete(var name, var ignored) -> collections.add(namespace(name));
            }
        }
        member.transact(collections, List.of(), operation(), evaluation -> {
            for (Change change : changes) {
                switch (change) {
                    case Change.Put(var name, var document) -> evaluation.put(namespace(name), document);
                    case Change.Delete(var name, var id) -> evaluation.delete(namespace(name), id);
                }
            }
            return null;
        });
    }

    @Override
    public BsonTimestamp tick() {
        long reading = member.clock().reading().getValue();
        return new BsonTimestamp(lastTick.updateAndGet(last -> Math.max(last + 1, reading)));
    }
}
