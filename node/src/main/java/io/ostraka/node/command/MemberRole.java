package io.ostraka.node.command;

import io.ostraka.node.member.Member;
import io.ostraka.wire.common.Role;
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

/** A member of a set of one, as {@code hello} tells it. */
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
        BsonString me = new BsonString(member.settings().address().get());
        boolean leads = member.isLeader();
        BsonDocument fields = new BsonDocument(
                        "setName", new BsonString(member.settings().setName()))
                .append("setVersion", new BsonInt32(1))
                .append("secondary", BsonBoolean.FALSE)
                .append("hosts", new BsonArray(java.util.List.of(me)))
                .append("me", me);
        if (leads) {
            fields.append("primary", me).append("electionId", electionId());
        }
        return fields.append("lastWrite", lastWrite());
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
