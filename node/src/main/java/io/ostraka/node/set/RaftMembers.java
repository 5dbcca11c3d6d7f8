package io.ostraka.node.set;

import io.ostraka.replication.raft.RaftMember;
import java.util.List;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** The members of a group in a message. */
public final class RaftMembers {
    private RaftMembers() {}

    static BsonDocument toBson(List<RaftMember> members) {
        BsonArray list = new BsonArray();
        for (RaftMember member : members) {
            list.add(new BsonDocument("id", new BsonString(member.id().toString()))
                    .append("address", new BsonString(member.address()))
                    .append("priority", new BsonInt32(member.priority()))
                    .append("votes", BsonBoolean.valueOf(member.votes())));
        }
        return new BsonDocument("list", list);
    }

    public static List<RaftMember> of(BsonDocument document) {
        return document.getArray("list").stream()
                .map(each -> each.asDocument())
                .map(each -> new RaftMember(
                        UUID.fromString(each.getString("id").getValue()),
                        each.getString("address").getValue(),
                        each.getInt32("priority").getValue(),
                        each.getBoolean("votes").getValue()))
                .toList();
    }
}
