package io.ostraka.node.member;

import static io.ostraka.core.error.ErrorCode.STALE_CONFIG;
import static io.ostraka.core.error.ErrorCode.WOULD_CHANGE_OWNING_SHARD;
import static io.ostraka.node.member.TestMember.USERS;
import static io.ostraka.node.member.TestMember.document;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.KeyRanges;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.Ownership;
import io.ostraka.core.placement.PlacementVersion;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.node.apply.Totals;
import io.ostraka.node.command.Validation;
import io.ostraka.node.view.KeyWalk;
import io.ostraka.node.view.Selection;
import io.ostraka.node.view.View;
import io.ostraka.node.write.CollectionWriter;
import io.ostraka.node.write.Edit;
import io.ostraka.node.write.Inserter;
import io.ostraka.node.write.MoverWrite;
import io.ostraka.node.write.MoverWrite.Moved;
import io.ostraka.query.execute.Execution;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.wire.command.Operation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A shard's part of a collection: what is not owned neither counts nor stands in the way, and ranges are handed over. */
@Timeout(60)
class OwnershipTest {
    private static final ShardKey KEY = ShardKey.parse(BsonDocument.parse("{x: 1}"));
    private static final Namespace MAP = new Namespace("config", "moved.plan1");
    private static final PlacementVersion VERSION =
            new PlacementVersion(new Generation(new ObjectId(), new BsonTimestamp(1, 1)), 1, 0);

    @TempDir
    Path folder;

    private TestMember test;

    @BeforeEach
    void open() {
        test = new TestMember(folder.resolve("data"));
        Ownership below100 = Ownership.of(KEY, VERSION, KeyRanges.of(List.of(range(0, 100))));
        boolean made = test.member()
                .collections()
                .create(
                        USERS,
                        new CollectionWriter.Definition(
                                Optional.empty(),
                                new BsonDocument(),
                                Optional.empty(),
                                List.of(IndexDefinition.parse(document("{key: {x: 1}, name: 'x_1'}"))),
                                Optional.of(below100)),
                        test.operation());
        assertThat(made).isTrue();
    }

    @AfterEach
    void close() {
        test.close();
    }

    private static KeyRange range(int from, int to) {
        return new KeyRange(KEY.before(List.of(new BsonInt32(from))), KEY.before(List.of(new BsonInt32(to))));
    }

    private Selection selection(String filter, Operation operation) {
        return Selection.of(
                FindQuery.of(FilterParser.parse(document(filter))),
                test.member().context(operation::checkAlive));
    }

    private List<RawDocument> find(String filter) {
        try (View view = test.member().view();
                Execution execution = selection(filter, test.operation())
                        .open(view, view.catalog().get(USERS))) {
            return execution.documents().toList();
        }
    }

    private Totals totals() {
        try (View view = test.member().view()) {
            return view.totals(view.catalog().get(USERS));
        }
    }

    private void change(java.util.function.UnaryOperator<Ownership> change, long documents, long bytes) {
        test.member().transact(List.of(), List.of(USERS), test.operation(), write -> {
            write.setOwnership(USERS, write.ownership(USERS).map(change));
            if (documents != 0) {
                write.disown(USERS, documents, bytes);
            }
            return null;
        });
    }

    private void validate() {
        try (View view = test.member().view()) {
            assertThat(new Validation(
                                    view,
                                    view.catalog().get(USERS),
                                    test.member().parts().indexer(),
                                    test.operation())
                            .run()
                            .errors())
                    .isEmpty();
        }
    }

    @Test
    void writesOutsideAreStale() {
        Inserter.Outcome outcome = test.insert(USERS, "{_id: 1, x: 5}", "{_id: 2, x: 500}");
        assertThat(outcome.inserted()).isEqualTo(1);
        assertThat(outcome.errors())
                .singleElement()
                .satisfies(error -> assertThat(error.error().code()).isEqualTo(STALE_CONFIG));
        Operation operation = test.operation();
        Edit moveAway = before -> Optional.of(document("{_id: 1, x: 500}"));
        assertThatThrownBy(() -> test.member()
                        .editor()
                        .one(USERS, selection("{_id: 1}", operation), moveAway, Optional.empty(), operation))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(WOULD_CHANGE_OWNING_SHARD));
        validate();
    }

    @Test
    void aRangeIsReceivedWithItsDocumentsFollowingTheDonor() {
        test.insert(USERS, "{_id: 1, x: 5}");
        MoverWrite mover = test.member().mover();
        List<Moved> page = List.of(
                new Moved.Put(RecordId.of(11), document("{_id: 1, x: 150, from: 'donor'}")),
                new Moved.Put(RecordId.of(12), document("{_id: 2, x: 151}")),
                new Moved.Put(RecordId.of(13), document("{_id: 3, x: 152}")));
        MoverWrite.Written first = mover.apply(
                USERS,
                MAP,
                "shard01",
                page,
                List.of(new MoverWrite.Alongside(new Namespace("config", "plans"), document("{_id: 'p', page: 1}"))),
                test.operation());
        assertThat(first.documents()).isEqualTo(3);
        assertThat(find("{}")).as("on their way in").hasSize(1);
        assertThat(totals().owned()).isEqualTo(1);
        MoverWrite.Written tail = mover.apply(
                USERS,
                MAP,
                "shard01",
                List.of(
                        new Moved.Put(RecordId.of(12), document("{_id: 2, x: 151, changed: true}")),
                        new Moved.Delete(RecordId.of(13)),
                        new Moved.Delete(RecordId.of(99)),
                        new Moved.Put(RecordId.of(14), document("{_id: 4, x: 153}")),
                        new Moved.Delete(RecordId.of(14)),
                        new Moved.Put(RecordId.of(14), document("{_id: 4, x: 154}"))),
                List.of(),
                test.operation());
        validate();
        // The same rows again, as a new leader of the donor may send them.
        assertThat(mover.apply(
                                USERS,
                                MAP,
                                "shard01",
                                List.of(new Moved.Put(RecordId.of(14), document("{_id: 4, x: 154}"))),
                                List.of(),
                                test.operation())
                        .documents())
                .isZero();
        long documents = first.documents() + tail.documents();
        long bytes = first.bytes() + tail.bytes();
        assertThat(documents).isEqualTo(3);
        change(had -> Ownership.of(KEY, VERSION, had.owned().plus(range(100, 200))), -documents, -bytes);
        assertThat(find("{x: {$gte: 100}}"))
                .containsExactly(
                        document("{_id: 1, x: 150, from: 'donor'}"),
                        document("{_id: 2, x: 151, changed: true}"),
                        document("{_id: 4, x: 154}"));
        assertThat(totals().owned()).isEqualTo(4);
        assertThat(totals().unowned()).isZero();
        validate();
    }

    @Test
    void aBlockedRangeHoldsWritersUntilItIsGivenOrFreed() throws Exception {
        test.insert(USERS, "{_id: 1, x: 5}", "{_id: 2, x: 50}");
        change(had -> had.block(range(0, 10)), 0, 0);
        int collection = test.member().views().catalog().get(USERS).ident();
        test.member().term().locks().drain(collection, range(0, 10), test.operation());
        assertThat(test.insert(USERS, "{_id: 3, x: 51}").inserted())
                .as("outside of the range")
                .isEqualTo(1);
        CompletableFuture<Inserter.Outcome> insert =
                CompletableFuture.supplyAsync(() -> test.insert(USERS, "{_id: 4, x: 6}"));
        CompletableFuture<Long> update = CompletableFuture.supplyAsync(() -> {
            Operation operation = test.operation();
            Edit edit = before -> Optional.of(document("{_id: 1, x: 5, changed: true}"));
            return test.member()
                    .editor()
                    .one(USERS, selection("{_id: 1}", operation), edit, Optional.empty(), operation)
                    .modified();
        });
        assertThatThrownBy(() -> insert.get(200, TimeUnit.MILLISECONDS)).isNotNull();
        assertThat(update).isNotDone();
        change(had -> had.release(range(0, 10)), 0, 0);
        assertThat(insert.get(30, TimeUnit.SECONDS).inserted()).isEqualTo(1);
        assertThat(update.get(30, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @Test
    void whatIsGivenIsHiddenCountedOutAndCleaned() {
        test.insert(USERS, "{_id: 1, x: 5}", "{_id: 2, x: 6}", "{_id: 3, x: 50}");
        long bytes = 2L * document("{_id: 1, x: 5}").size();
        change(had -> Ownership.of(KEY, VERSION, had.owned().minus(range(0, 10))), 2, bytes);
        assertThat(find("{}")).containsExactly(document("{_id: 3, x: 50}"));
        assertThat(totals().owned()).isEqualTo(1);
        assertThat(test.insert(USERS, "{_id: 1, x: 60}").inserted())
                .as("a document left behind does not hold its _id")
                .isEqualTo(1);
        List<RecordId> seen = new ArrayList<>();
        try (View view = test.member().view();
                KeyWalk walk = new KeyWalk(view, view.catalog().get(USERS), KEY, range(0, 100))) {
            while (walk.next()) {
                seen.add(walk.recordId());
            }
        }
        assertThat(seen).hasSize(4);
        assertThat(test.member().mover().deleteUnowned(USERS, range(0, 10), seen, test.operation()))
                .isEqualTo(2);
        assertThat(totals().documents()).isEqualTo(2);
        assertThat(totals().unowned()).isZero();
        validate();
    }

    @Test
    void aWriteOfManyKeepsRangesFromBeingDrained() throws Exception {
        test.insert(USERS, "{_id: 1, x: 5}", "{_id: 2, x: 6}");
        CompletableFuture<Void> inside = new CompletableFuture<>();
        CompletableFuture<Void> goOn = new CompletableFuture<>();
        CompletableFuture<Long> many = CompletableFuture.supplyAsync(() -> {
            Operation operation = test.operation();
            Edit slow = before -> {
                inside.complete(null);
                goOn.join();
                return Optional.empty();
            };
            return test.member()
                    .editor()
                    .many(USERS, selection("{x: 5}", operation), slow, operation)
                    .modified();
        });
        inside.get(30, TimeUnit.SECONDS);
        int collection = test.member().views().catalog().get(USERS).ident();
        Operation brief = test.member()
                .internal("test", io.ostraka.wire.command.Deadline.in(io.ostraka.core.time.Clock.SYSTEM, 50));
        assertThatThrownBy(() -> test.member().term().locks().drain(collection, range(80, 90), brief))
                .isInstanceOf(CommandException.class);
        goOn.complete(null);
        assertThat(many.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        test.member().term().locks().drain(collection, range(80, 90), test.operation());
    }
}
