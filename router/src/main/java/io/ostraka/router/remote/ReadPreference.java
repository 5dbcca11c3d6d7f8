package io.ostraka.router.remote;

import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNumber;
import org.bson.BsonString;

/**
 * From which members of a set a client lets itself be answered.
 *
 * @param tags sets of tags, the first that somebody has counts; empty for any member
 * @param maxStalenessSeconds how far a secondary may be behind; -1 for any
 * @param raw as the client sent it
 */
record ReadPreference(Mode mode, List<BsonDocument> tags, long maxStalenessSeconds, RawDocument raw) {
    enum Mode {
        PRIMARY,
        PRIMARYPREFERRED,
        SECONDARY,
        SECONDARYPREFERRED,
        NEAREST
    }

    /** An operation's, where it lets a secondary answer. */
    static Optional<ReadPreference> of(Operation operation) {
        if (operation.isInTransaction()) {
            return Optional.empty();
        }
        return operation.options().readPreference().map(ReadPreference::of).filter(read -> read.mode != Mode.PRIMARY);
    }

    private static ReadPreference of(RawDocument raw) {
        BsonDocument document = raw.toBson();
        String word = document.get("mode") instanceof BsonString text ? text.getValue() : "primary";
        Mode mode;
        try {
            mode = Mode.valueOf(word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw FAILED_TO_PARSE.because("Could not parse $readPreference mode '%s'.", word);
        }
        List<BsonDocument> tags = document.get("tags") instanceof BsonArray sets
                ? sets.stream().map(each -> each.asDocument()).toList()
                : List.of();
        long staleness = document.get("maxStalenessSeconds") instanceof BsonNumber seconds ? seconds.longValue() : -1;
        return new ReadPreference(mode, tags, staleness, raw);
    }
}
