package io.ostraka.router.remote;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;

/**
 * What the members of a set said about themselves a moment ago.
 *
 * @param members those that answered
 * @param atNanos when they were asked
 */
record SetView(List<Seen> members, long atNanos) {
    /** How long it is believed. */
    static final long FRESH_NANOS = 2_000_000_000L;

    private static final long ASKS_MILLIS = 1_000;

    /** A member that can answer reads. */
    record Seen(String host, boolean primary, BsonDocument tags, long lastWriteMillis) {}

    static SetView ask(ClusterClient client, List<String> hosts, Operation operation) {
        List<Seen> seen = new ArrayList<>();
        RawDocument hello = new RawBuilder().put("hello", 1).build();
        for (String host : hosts) {
            try {
                BsonDocument reply = client.run(
                                host,
                                "admin",
                                hello,
                                Map.of(),
                                Operation.ofProcess(
                                        "hello", "admin", operation.deadline().atMost(ASKS_MILLIS)))
                        .toBson();
                boolean primary = truth(reply, "isWritablePrimary");
                if (primary || truth(reply, "secondary")) {
                    BsonDocument lastWrite = reply.getDocument("lastWrite", new BsonDocument());
                    long written = lastWrite.get("lastWriteDate") instanceof BsonDateTime date ? date.getValue() : 0;
                    seen.add(new Seen(host, primary, reply.getDocument("tags", new BsonDocument()), written));
                }
            } catch (CommandException unreachable) {
                operation.checkAlive();
            }
        }
        return new SetView(List.copyOf(seen), operation.deadline().clock().nanos());
    }

    private static boolean truth(BsonDocument reply, String field) {
        return reply.getBoolean(field, BsonBoolean.FALSE).getValue();
    }

    /** Who may answer under a preference; the better ones first. */
    List<String> candidates(ReadPreference read, int turn) {
        Optional<Seen> primary = members.stream().filter(Seen::primary).findFirst();
        List<Seen> secondaries = members.stream()
                .filter(member -> !member.primary())
                .filter(member -> isFresh(member, primary, read))
                .toList();
        List<String> chosen = new ArrayList<>();
        switch (read.mode()) {
            case PRIMARY -> primary.ifPresent(member -> chosen.add(member.host()));
            case PRIMARYPREFERRED -> {
                primary.ifPresent(member -> chosen.add(member.host()));
                chosen.addAll(tagged(secondaries, read, turn));
            }
            case SECONDARY -> chosen.addAll(tagged(secondaries, read, turn));
            case SECONDARYPREFERRED -> {
                chosen.addAll(tagged(secondaries, read, turn));
                primary.ifPresent(member -> chosen.add(member.host()));
            }
            case NEAREST -> {
                List<Seen> all = new ArrayList<>(secondaries);
                primary.ifPresent(all::add);
                chosen.addAll(tagged(all, read, turn));
            }
        }
        return chosen;
    }

    private static boolean isFresh(Seen member, Optional<Seen> primary, ReadPreference read) {
        return read.maxStalenessSeconds() < 0
                || primary.isEmpty()
                || primary.get().lastWriteMillis() - member.lastWriteMillis() <= read.maxStalenessSeconds() * 1_000;
    }

    /** Those of the first tag set that anybody has, each in turn first. */
    private static List<String> tagged(List<Seen> members, ReadPreference read, int turn) {
        List<BsonDocument> sets = read.tags().isEmpty() ? List.of(new BsonDocument()) : read.tags();
        for (BsonDocument set : sets) {
            List<String> hosts = members.stream()
                    .filter(member -> member.tags().entrySet().containsAll(set.entrySet()))
                    .map(Seen::host)
                    .toList();
            if (!hosts.isEmpty()) {
                List<String> turned = new ArrayList<>(hosts);
                java.util.Collections.rotate(turned, turn);
                return turned;
            }
        }
        return List.of();
    }
}
