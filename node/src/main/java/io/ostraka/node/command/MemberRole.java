package io.ostraka.node.command;

import io.ostraka.node.member.Member;
import io.ostraka.node.set.MemberState;
import io.ostraka.node.set.ReplicaSet;
import io.ostraka.node.set.SetConfig;
import io.ostraka.wire.common.Role;
import java.util.Optional;
import java.util.function.Predicate;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;

/** A member of a set, as {@code hello} tells it. */
public final class MemberRole implements Role {
    private final Member member;

    public MemberRole(Member member) {
        this.member = member;
    }

    @Override
    public boolean isWritable() {
        return member.isLeader();
    }

    @Override
    public BsonDocument helloFields() {
        ReplicaSet set = member.set();
        Optional<SetConfig> config = set.config();
        Optional<SetConfig.Member> self = set.self();
        if (config.isEmpty() || self.isEmpty()) {
            return new BsonDocument("secondary", BsonBoolean.FALSE)
                    .append("info", new BsonString("Does not have a valid replica set config"))
                    .append("isreplicaset", BsonBoolean.TRUE);
        }
        MemberState state = set.state();
        BsonDocument fields = new BsonDocument("setName", new BsonString(set.name()))
                .append("setVersion", new BsonInt32(config.get().version()))
                .append("secondary", BsonBoolean.valueOf(state == MemberState.SECONDARY))
                .append("hosts", hosts(config.get(), SetConfig.Member::isElectable));
        BsonArray passives = hosts(config.get(), other -> !other.isElectable());
        if (!passives.isEmpty()) {
            fields.append("passives", passives);
        }
        set.primary().ifPresent(primary -> fields.append("primary", new BsonString(primary)));
        if (!self.get().isElectable()) {
            fields.append("passive", BsonBoolean.TRUE);
        }
        if (self.get().hidden()) {
            fields.append("hidden", BsonBoolean.TRUE);
        }
        if (!self.get().tags().isEmpty()) {
            fields.append("tags", self.get().tags());
        }
        fields.append("me", new BsonString(self.get().host()));
        if (state == MemberState.PRIMARY) {
            fields.append("electionId", electionId());
        }
        return fields.append("lastWrite", lastWrite());
    }

    private static BsonArray hosts(SetConfig config, Predicate<SetConfig.Member> which) {
        return new BsonArray(config.members().stream()
                .filter(other -> !other.hidden())
                .filter(which)
                .map(other -> new BsonString(other.host()))
                .toList());
    }

    /** Rises with the term, as drivers expect of one that is newer. */
    private BsonObjectId electionId() {
        return new BsonObjectId(new ObjectId(String.format(
                java.util.Locale.ROOT, "7fffffff%016x", member.views().term())));
    }

    private BsonDocument lastWrite() {
        BsonDocument position = opTime(member);
        BsonDateTime date = new BsonDateTime(
                Integer.toUnsignedLong(new BsonTimestamp(member.views().time()).getTime()) * 1000);
        return new BsonDocument("opTime", position)
                .append("lastWriteDate", date)
                .append("majorityOpTime", position)
                .append("majorityWriteDate", date);
    }

    /** {@code {ts, t}} of what was applied last. */
    static BsonDocument opTime(Member member) {
        return new BsonDocument("ts", new BsonTimestamp(member.views().time()))
                .append("t", new BsonInt64(member.views().term()));
    }
}
