package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.UNKNOWN_REPL_WRITE_CONCERN;
import static io.ostraka.core.error.ErrorCode.UNSATISFIABLE_WRITE_CONCERN;
import static io.ostraka.core.error.ErrorCode.WRITE_CONCERN_TIMEOUT;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.node.set.ReplicaSet;
import io.ostraka.node.set.SetConfig;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Waits for as many members as a client asked for. A majority has every write before it is answered, so only more than
 * that, and modes of tags, are waited for. Whatever comes of it, the write stands.
 */
final class WriteConcern {
    private final ReplicaSet set;

    WriteConcern(ReplicaSet set) {
        this.set = set;
    }

    /**
     * Waits under an operation's write concern.
     *
     * @param time of the last write, which the members must have applied
     * @return what the reply tells as {@code writeConcernError}
     */
    Optional<BsonDocument> await(long time, Operation operation) {
        Optional<RawDocument> concern = operation.options().writeConcern();
        BsonValue w = concern.map(given -> given.get("w")).orElse(null);
        boolean byAny = w == null
                || w.isString() && w.asString().getValue().equals("majority")
                || w.isNumber() && w.asNumber().longValue() <= 1;
        if (byAny) {
            return Optional.empty(); // without a look at the configuration: what most writes ask for
        }
        Optional<SetConfig> config = set.config();
        if (config.isEmpty()) {
            return Optional.empty();
        }
        long millis = concern.get().get("wtimeout") instanceof org.bson.BsonNumber number ? number.longValue() : 0;
        try {
            Predicate<List<SetConfig.Member>> enough = enough(config.get(), w);
            if (!enough.test(config.get().members())) {
                throw UNSATISFIABLE_WRITE_CONCERN.because("Not enough data-bearing nodes");
            }
            if (w.isNumber() && w.asNumber().longValue() <= config.get().majority()) {
                return Optional.empty();
            }
            boolean met = set.awaitApplied(time, enough, millis, operation);
            return met ? Optional.empty() : Optional.of(late(concern.get()));
        } catch (CommandException refused) {
            return Optional.of(error(refused, new BsonDocument()));
        }
    }

    private static Predicate<List<SetConfig.Member>> enough(SetConfig config, BsonValue w) {
        if (w.isNumber()) {
            long wanted = w.asNumber().longValue();
            return members -> members.size() >= wanted;
        }
        String mode = w.isString() ? w.asString().getValue() : w.toString();
        BsonValue tags = config.settings()
                .getDocument("getLastErrorModes", new BsonDocument())
                .get(mode);
        if (!(tags instanceof BsonDocument counts)) {
            throw UNKNOWN_REPL_WRITE_CONCERN.because(
                    "No write concern mode named '%s' found in replica set configuration", mode);
        }
        return members -> counts.entrySet().stream()
                .allMatch(entry -> members.stream()
                                .map(member -> member.tags().get(entry.getKey()))
                                .filter(java.util.Objects::nonNull)
                                .distinct()
                                .count()
                        >= entry.getValue().asNumber().longValue());
    }

    private static BsonDocument late(RawDocument concern) {
        return error(
                WRITE_CONCERN_TIMEOUT.because("waiting for replication timed out; the write stands"),
                new BsonDocument("wtimeout", BsonBoolean.TRUE).append("writeConcern", concern.toBson()));
    }

    private static BsonDocument error(CommandException error, BsonDocument info) {
        return new BsonDocument("code", new BsonInt32(error.code().number()))
                .append("codeName", new BsonString(error.code().codeName()))
                .append("errmsg", new BsonString(error.getMessage()))
                .append("errInfo", info);
    }
}
