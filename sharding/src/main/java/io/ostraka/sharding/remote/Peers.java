package io.ostraka.sharding.remote;

import static io.ostraka.core.error.ErrorCode.HOST_UNREACHABLE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.placement.ShardId;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * Finds the primaries of replica sets and runs commands there. Remembers which member answered as primary last, and
 * asks the others when it does not any more.
 */
public final class Peers implements Shards {
    /** How long a set without a primary is asked again, as an election takes. */
    private static final long ELECTION_NANOS = 15_000_000_000L;

    private static final long PAUSE_NANOS = 50_000_000L;

    private final ClusterClient client;
    private final Function<ShardId, List<String>> hosts;
    private final Map<ShardId, String> primaries = new ConcurrentHashMap<>();

    /** @param hosts the members of a shard, {@code host:port}; throws 70 for a shard that does not exist */
    public Peers(ClusterClient client, Function<ShardId, List<String>> hosts) {
        this.client = client;
        this.hosts = hosts;
    }

    @Override
    public BsonDocument call(ShardId shard, BsonDocument command, Deadline deadline) {
        BsonDocument body = command.clone();
        BsonValue named = body.remove("$db");
        String database = named == null ? "admin" : named.asString().getValue();
        Operation operation = Operation.ofProcess(command.getFirstKey(), database, deadline);
        return call(shard, database, RawDocument.of(body), operation).toBson();
    }

    /** The same within an operation, without decoding. */
    public RawDocument call(ShardId shard, String database, RawDocument command, Operation operation) {
        long started = operation.deadline().clock().nanos();
        while (true) {
            List<String> members = hosts.apply(shard);
            CommandException last = HOST_UNREACHABLE.because("shard '%s' has no members", shard);
            boolean someAnswered = false;
            for (String member : order(members, primaries.get(shard))) {
                try {
                    RawDocument reply = client.run(member, database, command, operation);
                    primaries.put(shard, member);
                    return reply;
                } catch (CommandException e) {
                    primaries.remove(shard, member);
                    last = orThrow(e);
                    someAnswered |= e.code() == ErrorCode.NOT_WRITABLE_PRIMARY;
                }
            }
            // Somebody is there and nobody leads: an election takes its time.
            boolean election = members.size() > 1
                    && someAnswered
                    && operation.deadline().clock().nanos() - started < ELECTION_NANOS;
            if (!election) {
                throw last;
            }
            operation.waitFor(new CompletableFuture<>(), PAUSE_NANOS);
        }
    }

    private static List<String> order(List<String> members, String first) {
        if (first == null || !members.contains(first)) {
            return members;
        }
        List<String> order = new ArrayList<>(members);
        order.remove(first);
        order.addFirst(first);
        return order;
    }

    /** Only what another member may answer better goes on to the next one. */
    private static CommandException orThrow(CommandException e) {
        boolean otherMember = e.code() == ErrorCode.NOT_WRITABLE_PRIMARY || e.code() == ErrorCode.HOST_UNREACHABLE;
        if (!otherMember) {
            throw e;
        }
        return e;
    }
}
