package io.ostraka.node.command;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.member.Member;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.function.Function;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonTimestamp;

/**
 * What a set of one says about itself.
 *
 * <pre>
 * { replSetGetStatus: 1 }  →  { set, date, myState, term, members: [ … ], optimes }
 * { replSetGetConfig: 1 }  →  { config: { _id, version, term, members: [ … ], settings } }
 * { _isSelf: 1 }  →  { id }
 * </pre>
 */
final class ReplicaSetCommands {
    private static final int PRIMARY = 1;

    private final Member member;

    ReplicaSetCommands(Member member) {
        this.member = member;
    }

    List<Command<?>> all() {
        return List.of(
                new About("replSetGetStatus", Needs.admin("replSetGetStatus", Needs.Kind.STATELESS), this::status),
                new About("replSetGetConfig", Needs.admin("replSetGetConfig", Needs.Kind.STATELESS), this::config),
                new About("_isSelf", Needs.NOTHING, this::self));
    }

    private BsonDocument status(Fields fields) {
        fields.raw("initialSync");
        BsonDocument opTime = MemberRole.opTime(member);
        BsonDateTime now = new BsonDateTime(member.settings().clock().wallMillis());
        BsonDateTime last = new BsonDateTime(
                Integer.toUnsignedLong(new BsonTimestamp(member.views().time()).getTime()) * 1000);
        BsonDocument me = new BsonDocument("_id", new BsonInt32(0))
                .append("name", new BsonString(member.settings().address().get()))
                .append("health", new BsonDouble(1))
                .append("state", new BsonInt32(PRIMARY))
                .append("stateStr", new BsonString("PRIMARY"))
                .append("uptime", new BsonInt64(member.uptimeSeconds()))
                .append("optime", opTime)
                .append("optimeDate", last)
                .append("lastHeartbeatMessage", new BsonString(""))
                .append("electionTime", new BsonTimestamp(member.views().time()))
                .append("configVersion", new BsonInt32(1))
                .append("configTerm", new BsonInt64(member.views().term()))
                .append("self", BsonBoolean.TRUE);
        return new BsonDocument("set", new BsonString(member.settings().setName()))
                .append("date", now)
                .append("myState", new BsonInt32(PRIMARY))
                .append("term", new BsonInt64(member.views().term()))
                .append("syncSourceHost", new BsonString(""))
                .append("syncSourceId", new BsonInt32(-1))
                .append("heartbeatIntervalMillis", new BsonInt64(2000))
                .append("majorityVoteCount", new BsonInt32(1))
                .append("writeMajorityCount", new BsonInt32(1))
                .append("votingMembersCount", new BsonInt32(1))
                .append("writableVotingMembersCount", new BsonInt32(1))
                .append(
                        "optimes",
                        new BsonDocument("lastCommittedOpTime", opTime)
                                .append("readConcernMajorityOpTime", opTime)
                                .append("appliedOpTime", opTime)
                                .append("durableOpTime", opTime)
                                .append("lastAppliedWallTime", last)
                                .append("lastDurableWallTime", last))
                .append("members", new BsonArray(List.of(me)));
    }

    private BsonDocument config(Fields fields) {
        BsonDocument me = new BsonDocument("_id", new BsonInt32(0))
                .append("host", new BsonString(member.settings().address().get()))
                .append("arbiterOnly", BsonBoolean.FALSE)
                .append("buildIndexes", BsonBoolean.TRUE)
                .append("hidden", BsonBoolean.FALSE)
                .append("priority", new BsonInt32(1))
                .append("tags", new BsonDocument())
                .append("secondaryDelaySecs", new BsonInt64(0))
                .append("votes", new BsonInt32(1));
        return new BsonDocument(
                "config",
                new BsonDocument("_id", new BsonString(member.settings().setName()))
                        .append("version", new BsonInt32(1))
                        .append("term", new BsonInt64(member.views().term()))
                        .append("members", new BsonArray(List.of(me)))
                        .append("protocolVersion", new BsonInt64(1))
                        .append("writeConcernMajorityJournalDefault", BsonBoolean.TRUE)
                        .append("settings", new BsonDocument()));
    }

    private BsonDocument self(Fields fields) {
        return new BsonDocument("id", new BsonString(member.stamp().memberId().toString()));
    }

    /** A command that only tells. */
    private record About(String name, Needs needs, Function<Fields, BsonDocument> answer)
            implements Command<RawDocument> {
        @Override
        public RawDocument parse(Fields fields) {
            return RawDocument.of(answer.apply(fields));
        }

        @Override
        public RawDocument run(RawDocument reply, Operation operation) {
            return reply;
        }
    }
}
