package io.ostraka.node.set;

import static io.ostraka.core.error.ErrorCode.INVALID_REPLICA_SET_CONFIG;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.error.CommandException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * A replica set's configuration, as {@code rs.conf()} shows it.
 *
 * @param name of the set
 * @param version rises with every change
 * @param term of the leadership that made the change
 * @param members in the order given
 * @param settings as given; most have no meaning here
 */
public record SetConfig(String name, int version, long term, List<Member> members, BsonDocument settings) {
    private static final int DEFAULT_PORT = 27017;

    /** As in MongoDB. */
    public static final int MAX_MEMBERS = 50;

    private static final int MAX_VOTERS = 7;

    /**
     * One member.
     *
     * @param id a number of the configuration's own, 0 to 255
     * @param host {@code host:port}
     * @param priority 0 for never primary; of those caught up, the highest leads
     */
    public record Member(int id, String host, double priority, boolean votes, boolean hidden, BsonDocument tags) {
        /** Whether it may become primary. */
        public boolean isElectable() {
            return priority > 0;
        }

        BsonDocument toBson() {
            return new BsonDocument("_id", new BsonInt32(id))
                    .append("host", new BsonString(host))
                    .append("arbiterOnly", BsonBoolean.FALSE)
                    .append("buildIndexes", BsonBoolean.TRUE)
                    .append("hidden", BsonBoolean.valueOf(hidden))
                    .append(
                            "priority",
                            priority == Math.rint(priority) ? new BsonInt32((int) priority) : new BsonDouble(priority))
                    .append("tags", tags)
                    .append("secondaryDelaySecs", new BsonInt64(0))
                    .append("votes", new BsonInt32(votes ? 1 : 0));
        }
    }

    public SetConfig {
        members = List.copyOf(members);
    }

    /** The configuration of a set whose only member is this one. */
    public static SetConfig alone(String name, String host, long term) {
        return new SetConfig(
                name, 1, term, List.of(new Member(0, host, 1, true, false, new BsonDocument())), new BsonDocument());
    }

    /** Reads and checks one. @throws CommandException 93 InvalidReplicaSetConfig, 14 */
    public static SetConfig of(BsonDocument document) {
        String name = string(document, "_id");
        if (name.isEmpty()) {
            throw invalid("the configuration needs the set's name as _id");
        }
        double version = number(document, "version", 1);
        if (version < 1 || version > Integer.MAX_VALUE) {
            throw invalid("version must be 1 to 2147483647, found " + version);
        }
        if (!(document.get("members") instanceof BsonArray list) || list.isEmpty()) {
            throw invalid("members must be an array of at least one member");
        }
        List<Member> members = new ArrayList<>();
        for (BsonValue each : list) {
            if (!each.isDocument()) {
                throw TYPE_MISMATCH.because("members must be documents");
            }
            members.add(member(each.asDocument()));
        }
        check(members);
        BsonDocument settings = document.get("settings") instanceof BsonDocument given ? given : new BsonDocument();
        return new SetConfig(name, (int) version, (long) number(document, "term", 0), members, settings);
    }

    private static Member member(BsonDocument document) {
        double id = number(document, "_id", -1);
        if (id < 0 || id > 255 || id != Math.rint(id)) {
            throw invalid("a member's _id must be a whole number of 0 to 255");
        }
        String host = host(string(document, "host"));
        if (truth(document, "arbiterOnly")) {
            throw invalid("member " + host + ": arbiters are not supported, as every voter must hold the data it votes"
                    + " for. Add a third member with data, or a hidden one with priority 0.");
        }
        if (document.containsKey("buildIndexes") && !truth(document, "buildIndexes")) {
            throw invalid("member " + host + ": buildIndexes: false is not supported");
        }
        if (number(document, "secondaryDelaySecs", 0) != 0 || number(document, "slaveDelay", 0) != 0) {
            throw invalid("member " + host + ": delayed members are not supported");
        }
        double votes = number(document, "votes", 1);
        if (votes != 0 && votes != 1) {
            throw invalid("member " + host + ": votes must be 0 or 1");
        }
        double priority = number(document, "priority", votes == 0 ? 0 : 1);
        if (!(priority >= 0 && priority <= 1000)) {
            throw invalid("member " + host + ": priority must be 0 to 1000");
        }
        boolean hidden = truth(document, "hidden");
        if (priority > 0 && votes == 0) {
            throw invalid("member " + host + ": priority must be 0 when non-voting (votes:0)");
        }
        if (priority > 0 && hidden) {
            throw invalid("member " + host + ": priority must be 0 when hidden=true");
        }
        BsonDocument tags = document.get("tags") instanceof BsonDocument given ? given : new BsonDocument();
        if (!tags.values().stream().allMatch(BsonValue::isString)) {
            throw invalid("member " + host + ": tags must be strings");
        }
        return new Member((int) id, host, priority, votes == 1, hidden, tags);
    }

    private static void check(List<Member> members) {
        Set<Integer> ids = new HashSet<>();
        Set<String> hosts = new HashSet<>();
        for (Member member : members) {
            if (!ids.add(member.id())) {
                throw invalid("two members have the _id " + member.id());
            }
            if (!hosts.add(member.host())) {
                throw invalid("two members have the host " + member.host());
            }
        }
        if (members.size() > MAX_MEMBERS) {
            throw invalid("a set has at most " + MAX_MEMBERS + " members");
        }
        long voters = members.stream().filter(Member::votes).count();
        if (voters < 1 || voters > MAX_VOTERS) {
            throw invalid("a set has 1 to " + MAX_VOTERS + " voting members, found " + voters);
        }
        if (members.stream().noneMatch(Member::isElectable)) {
            throw invalid("at least one member must be electable, with priority above 0");
        }
    }

    private static String host(String given) {
        int colon = given.lastIndexOf(':');
        if (given.isEmpty() || colon == 0) {
            throw invalid("a member needs a host, as host:port");
        }
        return colon < 0 || given.endsWith("]") ? given + ":" + DEFAULT_PORT : given;
    }

    private static CommandException invalid(String why) {
        return INVALID_REPLICA_SET_CONFIG.because("%s", why);
    }

    private static String string(BsonDocument document, String field) {
        if (!(document.get(field) instanceof BsonString text)) {
            throw invalid("'" + field + "' must be a string");
        }
        return text.getValue();
    }

    private static double number(BsonDocument document, String field, double otherwise) {
        BsonValue value = document.get(field);
        if (value == null || value instanceof BsonNull) {
            return otherwise;
        }
        if (!(value instanceof BsonNumber number)) {
            throw TYPE_MISMATCH.because("'%s' must be a number", field);
        }
        return number.doubleValue();
    }

    private static boolean truth(BsonDocument document, String field) {
        BsonValue value = document.get(field);
        return value instanceof BsonBoolean flag
                ? flag.getValue()
                : value instanceof BsonNumber number && number.doubleValue() != 0;
    }

    public Optional<Member> member(int id) {
        return members.stream().filter(member -> member.id() == id).findFirst();
    }

    public Optional<Member> member(String host) {
        return members.stream().filter(member -> member.host().equals(host)).findFirst();
    }

    /** How many voters make a majority. */
    public int majority() {
        return (int) members.stream().filter(Member::votes).count() / 2 + 1;
    }

    public SetConfig with(int newVersion, long newTerm) {
        return new SetConfig(name, newVersion, newTerm, members, settings);
    }

    public SetConfig withMembers(List<Member> others) {
        return new SetConfig(name, version, term, others, settings);
    }

    /** As {@code rs.conf()} shows it. */
    public BsonDocument toBson() {
        BsonDocument shown = new BsonDocument("chainingAllowed", BsonBoolean.TRUE)
                .append("heartbeatIntervalMillis", new BsonInt32(2000))
                .append("heartbeatTimeoutSecs", new BsonInt32(10))
                .append("electionTimeoutMillis", new BsonInt32(10_000))
                .append("getLastErrorModes", new BsonDocument())
                .append(
                        "getLastErrorDefaults",
                        new BsonDocument("w", new BsonInt32(1)).append("wtimeout", new BsonInt32(0)));
        shown.putAll(settings);
        return new BsonDocument("_id", new BsonString(name))
                .append("version", new BsonInt32(version))
                .append("term", new BsonInt64(term))
                .append(
                        "members",
                        new BsonArray(members.stream().map(Member::toBson).toList()))
                .append("protocolVersion", new BsonInt64(1))
                .append("writeConcernMajorityJournalDefault", BsonBoolean.TRUE)
                .append("settings", shown);
    }
}
