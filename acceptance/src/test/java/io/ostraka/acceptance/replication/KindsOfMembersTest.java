package io.ostraka.acceptance.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoWriteConcernException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import io.ostraka.acceptance.support.Awaiting;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members that are to lead before others, that clients do not see, and that do not vote. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KindsOfMembersTest {
    @TempDir
    Path folder;

    private static MongoCollection<Document> things(MongoClient client) {
        return client.getDatabase("d").getCollection("things");
    }

    private static Document member(Members members, int number) {
        return new Document("_id", number).append("host", members.host(number));
    }

    private static void initiate(Members members, Document... all) {
        try (MongoClient client = members.direct(0)) {
            client.getDatabase("admin")
                    .runCommand(new Document(
                            "replSetInitiate", new Document("_id", Members.SET).append("members", List.of(all))));
        }
    }

    private static Document hello(Members members, int number) {
        try (MongoClient client = members.direct(number)) {
            return client.getDatabase("admin").runCommand(new Document("hello", 1));
        }
    }

    @Test
    void theMemberOfTheHighestPriorityLeadsWheneverItCan() {
        try (Members members = new Members(folder, 3)) {
            initiate(members, member(members, 0), member(members, 1).append("priority", 3), member(members, 2));
            Awaiting.await(() -> members.process(1).member().isLeader());
            try (MongoClient client = members.client("")) {
                things(client).insertOne(new Document("_id", 1));
                members.stop(1);
                things(client).insertOne(new Document("_id", 2));
                members.restart(1);
                Awaiting.await(() -> members.process(1).member().isLeader());
                things(client).insertOne(new Document("_id", 3));
                assertThat(things(client).countDocuments()).isEqualTo(3);
            }
        }
    }

    @Test
    void aHiddenMemberVotesAndHoldsTheDataAndIsNotShown() {
        try (Members members = new Members(folder, 3)) {
            initiate(
                    members,
                    member(members, 0),
                    member(members, 1),
                    member(members, 2).append("priority", 0).append("hidden", true));
            Awaiting.await(() -> hello(members, 2).getBoolean("secondary"));
            for (int i = 0; i < 3; i++) {
                assertThat(hello(members, i).getList("hosts", String.class))
                        .containsExactlyInAnyOrder(members.host(0), members.host(1));
                assertThat(hello(members, i)).doesNotContainKey("passives");
            }
            assertThat(hello(members, 2)).containsEntry("hidden", true);
            int primary = members.primary();
            assertThat(primary).isNotEqualTo(2);
            members.stop(primary);
            try (MongoClient client = members.direct(1 - primary)) {
                // Its vote makes the other one the primary, and its copy the majority.
                Awaiting.await(() -> members.process(1 - primary).member().isLeader());
                things(client).withWriteConcern(WriteConcern.MAJORITY).insertOne(new Document("_id", 1));
            }
            members.restart(primary);
        }
    }

    @Test
    void aMemberWithoutAVoteHoldsTheDataAndMakesNoMajority() {
        try (Members members = new Members(folder, 3)) {
            initiate(
                    members,
                    member(members, 0),
                    member(members, 1),
                    member(members, 2).append("priority", 0).append("votes", 0));
            Awaiting.await(() -> hello(members, 2).getBoolean("secondary"));
            int primary = members.primary();
            try (MongoClient client = members.direct(primary)) {
                things(client).withWriteConcern(new WriteConcern(3)).insertOne(new Document("_id", 1));
                members.stop(2);
                // A majority of those that vote is there; all three are not.
                things(client).withWriteConcern(WriteConcern.MAJORITY).insertOne(new Document("_id", 2));
                WriteConcern all = new WriteConcern(3).withWTimeout(200, TimeUnit.MILLISECONDS);
                assertThatThrownBy(() -> things(client).withWriteConcern(all).insertOne(new Document("_id", 3)))
                        .isInstanceOf(MongoWriteConcernException.class);
                members.restart(2);
                things(client).withWriteConcern(new WriteConcern(3)).insertOne(new Document("_id", 4));
            }
            members.stop(1 - primary);
            // One of two that vote: it must give way, though two copies are there.
            Awaiting.await(() -> !members.process(primary).member().isLeader());
            assertThat(hello(members, 2)).containsEntry("secondary", true);
            try (MongoClient direct = members.direct(2)) {
                assertThat(things(direct).countDocuments()).isEqualTo(4);
            }
        }
    }
}
