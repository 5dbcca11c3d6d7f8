package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.NOT_YET_INITIALIZED;

import io.ostraka.node.member.Member;
import io.ostraka.node.set.MemberState;
import io.ostraka.node.set.ReplicaSet;
import io.ostraka.node.set.SetConfig;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonTimestamp;

/** {@code replSetGetStatus}: every other member is asked when the question comes. */
final class SetStatus {
    private final Member member;
    private final ReplicaSet set;

    SetStatus(Member member) {
        this.member = member;
        set = member.set();
    }

    /** @throws io.ostraka.core.error.CommandException 94 NotYetInitialized */
    BsonDocument of(Operation operation) {
        SetConfig config =
                set.config().orElseThrow(() -> NOT_YET_INITIALIZED.because("no replset config has been received"));
        Optional<SetConfig.Member> self = set.self();
        List<CompletableFuture<BsonDocument>> rows = new ArrayList<>();
        for (SetConfig.Member each : config.members()) {
            CompletableFuture<BsonDocument> row = new CompletableFuture<>();
            rows.add(row);
            if (self.isPresent() && self.get().equals(each)) {
                row.complete(self(each, config));
            } else {
                Thread.ofVirtual().name("status of " + each.host()).start(() -> row.complete(other(each, operation)));
            }
        }
        BsonArray members = new BsonArray();
        for (CompletableFuture<BsonDocument> row : rows) {
            members.add(operation.await(row));
        }
        int voters =
                (int) config.members().stream().filter(SetConfig.Member::votes).count();
        BsonDocument opTime = MemberRole.opTime(member);
        BsonDateTime last = date(member.views().time());
        return new BsonDocument("set", new BsonString(set.name()))
                .append("date", new BsonDateTime(member.settings().clock().wallMillis()))
                .append("myState", new BsonInt32(set.state().number()))
                .append("term", new BsonInt64(set.term()))
                .append("syncSourceHost", new BsonString(syncSource()))
                .append("syncSourceId", new BsonInt32(syncSourceId(config)))
                .append("heartbeatIntervalMillis", new BsonInt64(2000))
                .append("majorityVoteCount", new BsonInt32(config.majority()))
                .append("writeMajorityCount", new BsonInt32(config.majority()))
                .append("votingMembersCount", new BsonInt32(voters))
                .append("writableVotingMembersCount", new BsonInt32(voters))
                .append(
                        "optimes",
                        new BsonDocument("lastCommittedOpTime", opTime)
                                .append("lastCommittedWallTime", last)
                                .append("readConcernMajorityOpTime", opTime)
                                .append("appliedOpTime", opTime)
                                .append("durableOpTime", opTime)
                                .append("lastAppliedWallTime", last)
                                .append("lastDurableWallTime", last))
                .append("members", members);
    }

    private String syncSource() {
        return set.state() == MemberState.PRIMARY ? "" : set.primary().orElse("");
    }

    private int syncSourceId(SetConfig config) {
        return config.member(syncSource()).map(SetConfig.Member::id).orElse(-1);
    }

    private BsonDocument self(SetConfig.Member self, SetConfig config) {
        MemberState state = set.state();
        BsonDocument row = row(self, state, 1)
                .append("uptime", new BsonInt64(member.uptimeSeconds()))
                .append("optime", MemberRole.opTime(member))
                .append("optimeDate", date(member.views().time()))
                .append("lastAppliedWallTime", date(member.views().time()))
                .append("lastDurableWallTime", date(member.views().time()))
                .append("syncSourceHost", new BsonString(syncSource()))
                .append("syncSourceId", new BsonInt32(syncSourceId(config)))
                .append("infoMessage", new BsonString(""));
        if (state == MemberState.PRIMARY) {
            row.append("electionTime", new BsonTimestamp(member.views().time()))
                    .append("electionDate", date(member.views().time()));
        }
        return row.append("configVersion", new BsonInt32(config.version()))
                .append("configTerm", new BsonInt64(config.term()))
                .append("self", BsonBoolean.TRUE)
                .append("lastHeartbeatMessage", new BsonString(""));
    }

    private BsonDocument other(SetConfig.Member other, Operation operation) {
        long asked = member.settings().clock().nanos();
        Optional<BsonDocument> about = set.about(other, operation);
        BsonDateTime now = new BsonDateTime(member.settings().clock().wallMillis());
        if (about.isEmpty()) {
            return row(other, MemberState.DOWN, 0)
                    .append("uptime", new BsonInt64(0))
                    .append("optime", new BsonDocument("ts", new BsonTimestamp(0)).append("t", new BsonInt64(-1)))
                    .append("optimeDate", new BsonDateTime(0))
                    .append("lastHeartbeat", now)
                    .append("lastHeartbeatMessage", new BsonString("it did not answer in time"));
        }
        BsonDocument told = about.get();
        MemberState state = MemberState.of(told.getInt32("state").getValue());
        return row(other, state, 1)
                .append("uptime", new BsonInt64(member.uptimeSeconds()))
                .append("optime", new BsonDocument("ts", told.get("ts")).append("t", told.get("t")))
                .append("optimeDurable", new BsonDocument("ts", told.get("ts")).append("t", told.get("t")))
                .append("optimeDate", told.get("date"))
                .append("optimeDurableDate", told.get("date"))
                .append("lastHeartbeat", now)
                .append("lastHeartbeatRecv", now)
                .append("pingMs", new BsonInt64((member.settings().clock().nanos() - asked) / 1_000_000))
                .append("lastHeartbeatMessage", new BsonString(set.whyNotTheSame(other, told)))
                .append(
                        "syncSourceHost",
                        new BsonString(
                                state == MemberState.PRIMARY
                                        ? ""
                                        : set.primary().orElse("")))
                .append("infoMessage", new BsonString(""));
    }

    private static BsonDocument row(SetConfig.Member each, MemberState state, int health) {
        return new BsonDocument("_id", new BsonInt32(each.id()))
                .append("name", new BsonString(each.host()))
                .append("health", new BsonDouble(health))
                .append("state", new BsonInt32(state.number()))
                .append("stateStr", new BsonString(state.text()));
    }

    private static BsonDateTime date(long time) {
        return new BsonDateTime(Integer.toUnsignedLong(new BsonTimestamp(time).getTime()) * 1000);
    }
}
