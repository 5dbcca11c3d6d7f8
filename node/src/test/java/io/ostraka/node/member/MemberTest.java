package io.ostraka.node.member;

import static io.ostraka.core.error.ErrorCode.DUPLICATE_KEY;
import static io.ostraka.node.member.TestMember.USERS;
import static io.ostraka.node.member.TestMember.document;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.change.OplogRow;
import io.ostraka.node.view.Lookup;
import io.ostraka.node.view.OplogReader;
import io.ostraka.node.view.View;
import io.ostraka.node.write.Inserter;
import io.ostraka.query.index.IndexDefinition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemberTest {
    @TempDir
    Path folder;

    private TestMember test;

    @BeforeEach
    void open() {
        test = new TestMember(folder.resolve("data"));
    }

    @AfterEach
    void close() {
        test.close();
    }

    private Optional<RawDocument> byId(BsonValue id) {
        try (View view = test.member().view()) {
            return view.find(USERS)
                    .flatMap(users -> Lookup.byId(view, users, KeyString.of(id)))
                    .map(Lookup.Found::document);
        }
    }

    private static IndexDefinition index(String json) {
        return IndexDefinition.parse(document(json));
    }

    @Test
    void whatWasInsertedIsFoundAlsoAfterReopening() {
        assertThat(test.insert(USERS, "{_id: 1, a: 'x'}", "{_id: 2}").inserted())
                .isEqualTo(2);
        assertThat(byId(new BsonInt64(1)))
                .hasValueSatisfying(d -> assertThat(d).isEqualTo(document("{_id: 1, a: 'x'}")));
        test.reopen();
        assertThat(byId(new BsonInt32(2))).isPresent();
        assertThat(byId(new BsonInt32(3))).isEmpty();
        try (View view = test.member().view()) {
            assertThat(view.totals(view.catalog().get(USERS)).owned()).isEqualTo(2);
            assertThat(view.totals(view.catalog().get(USERS)).bytes())
                    .isEqualTo(document("{_id: 1, a: 'x'}").size()
                            + document("{_id: 2}").size());
        }
        test.insert(USERS, "{_id: 3}");
        assertThat(byId(new BsonInt32(3))).isPresent();
    }

    @Test
    void anOrderedInsertStopsAtADuplicateAndNamesIt() {
        Inserter.Outcome outcome = test.insert(USERS, "{_id: 1}", "{_id: 2}", "{_id: 1.0}", "{_id: 3}");
        assertThat(outcome.inserted()).isEqualTo(2);
        assertThat(outcome.errors()).singleElement().satisfies(error -> {
            assertThat(error.index()).isEqualTo(2);
            assertThat(error.error().code()).isEqualTo(DUPLICATE_KEY);
            assertThat(error.error())
                    .hasMessage("E11000 duplicate key error collection: test.users index: _id_ dup key: { _id: 1.0 }");
            assertThat(error.toBson().getDocument("keyPattern")).isEqualTo(BsonDocument.parse("{_id: 1}"));
            assertThat(error.toBson().getDocument("keyValue")).isEqualTo(BsonDocument.parse("{_id: 1.0}"));
        });
        assertThat(byId(new BsonInt32(3))).isEmpty();
    }

    @Test
    void anUnorderedInsertGoesOn() {
        List<RawDocument> documents =
                List.of(document("{_id: 1}"), document("{_id: 1}"), document("{_id: [1]}"), document("{_id: 2}"));
        Inserter.Outcome outcome = test.member().inserter().insert(USERS, documents, false, test.operation());
        assertThat(outcome.inserted()).isEqualTo(2);
        assertThat(outcome.errors()).extracting(error -> error.index()).containsExactly(1, 2);
    }

    @Test
    void aUniqueIndexIsBuiltCheckedAndRefusedWhereItCannotBe() {
        test.insert(USERS, "{_id: 1, a: 1}", "{_id: 2, a: 2}", "{_id: 3, a: [3, 4]}");
        test.member()
                .indexes()
                .create(USERS, List.of(index("{key: {a: 1}, name: 'a_1', unique: true}")), test.operation());
        assertThat(test.insert(USERS, "{_id: 4, a: 4}").errors()).hasSize(1);
        assertThat(test.insert(USERS, "{_id: 4, a: 5, b: 1}", "{_id: 5, a: 6, b: 1}")
                        .inserted())
                .isEqualTo(2);
        assertThatThrownBy(() -> test.member()
                        .indexes()
                        .create(USERS, List.of(index("{key: {b: 1}, name: 'b_1', unique: true}")), test.operation()))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(DUPLICATE_KEY));
        try (View view = test.member().view()) {
            assertThat(view.catalog().get(USERS).indexes())
                    .extracting(i -> i.name())
                    .containsExactly("_id_", "a_1");
            assertThat(view.catalog().get(USERS).index("a_1").orElseThrow().multikey())
                    .isEqualTo(1);
        }
    }

    @Test
    void aHundredWritersOfOneIdMakeOneDocument() throws InterruptedException {
        ConcurrentLinkedQueue<Inserter.Outcome> outcomes = new ConcurrentLinkedQueue<>();
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String mine = "{_id: 7, by: " + i + "}";
            writers.add(Thread.startVirtualThread(() -> outcomes.add(test.insert(USERS, mine))));
        }
        for (Thread writer : writers) {
            writer.join();
        }
        assertThat(outcomes).hasSize(100);
        assertThat(outcomes.stream().mapToInt(Inserter.Outcome::inserted).sum()).isEqualTo(1);
        try (View view = test.member().view()) {
            assertThat(view.totals(view.catalog().get(USERS)).documents()).isEqualTo(1);
        }
    }

    @Test
    void anAtomicWriteSeesItsOwnWritesAndIsAllOrNothing() {
        Namespace chunks = new Namespace("config", "chunks");
        Namespace versions = new Namespace("config", "versions");
        long time = test.member().transact(List.of(chunks, versions), List.of(), test.operation(), w -> {
            w.put(chunks, document("{_id: 'a', n: 1}"));
            w.put(chunks, document("{_id: 'b', n: 1}"));
            w.put(versions, document("{_id: 'v', n: 1}"));
            assertThat(w.get(chunks, new org.bson.BsonString("a"))).isPresent();
            return w.reading();
        });
        assertThat(time).isPositive();
        assertThatThrownBy(() -> test.member().transact(List.of(chunks), List.of(), test.operation(), w -> {
                    w.delete(chunks, new org.bson.BsonString("a"));
                    throw new IllegalStateException("a precondition does not hold");
                }))
                .isInstanceOf(IllegalStateException.class);
        boolean deleted = test.member().transact(List.of(chunks), List.of(), test.operation(), w -> {
            boolean first = w.delete(chunks, new org.bson.BsonString("b"));
            w.put(chunks, document("{_id: 'b', n: 2}"));
            return first;
        });
        assertThat(deleted).isTrue();
        test.reopen();
        try (View view = test.member().view()) {
            assertThat(view.totals(view.catalog().get(chunks)).documents()).isEqualTo(2);
            assertThat(view.totals(view.catalog().get(versions)).documents()).isEqualTo(1);
            assertThat(Lookup.byId(view, view.catalog().get(chunks), KeyString.of(new org.bson.BsonString("b"))))
                    .hasValueSatisfying(
                            found -> assertThat(found.document().get("n")).isEqualTo(new BsonInt32(2)));
        }
    }

    @Test
    void theOplogHoldsWhatHappenedInOrder() {
        test.insert(USERS, "{_id: 1}", "{_id: 2}");
        try (View view = test.member().view();
                OplogReader reader = new OplogReader(view, 0, 0)) {
            assertThat(reader.next())
                    .hasValueSatisfying(row -> assertThat(row.header().kind()).isEqualTo(OplogRow.Kind.COMMAND));
            OplogRow first = reader.next().orElseThrow();
            OplogRow second = reader.next().orElseThrow();
            assertThat(first.after()).contains(document("{_id: 1}"));
            assertThat(first.header().documentKey()).contains(document("{_id: 1}"));
            assertThat(second.time()).as("one proposal, one time").isEqualTo(first.time());
            assertThat(second.number()).isEqualTo(first.number() + 1);
            assertThat(reader.next()).isEmpty();
            assertThat(view.time()).isEqualTo(second.time());
        }
    }

    @Test
    void aDroppedCollectionIsGoneAndItsViewsKeepIt() {
        test.insert(USERS, "{_id: 1}");
        try (View before = test.member().view()) {
            assertThat(test.member().collections().drop(USERS, test.operation()))
                    .isTrue();
            assertThat(Lookup.byId(before, before.catalog().get(USERS), KeyString.of(new BsonInt32(1))))
                    .isPresent();
        }
        assertThat(byId(new BsonInt32(1))).isEmpty();
        test.insert(USERS, "{_id: 1, again: true}");
        assertThat(byId(new BsonInt32(1))).contains(document("{_id: 1, again: true}"));
    }

    @Test
    void twentyOpensAndClosesLeaveNoThread() {
        test.reopen();
        int before = Thread.activeCount();
        for (int i = 0; i < 20; i++) {
            test.insert(USERS, "{_id: " + i + "}");
            test.reopen();
        }
        assertThat(Thread.activeCount()).isEqualTo(before);
    }
}
