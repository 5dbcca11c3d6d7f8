package io.ostraka.wire.request;

import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.KeyRanges;
import io.ostraka.wire.command.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonBinary;
import org.bson.BsonValue;

/**
 * The ranges of shard keys a statement of many documents is held to, in {@code $ostrakaWithin}: an array of lower and
 * upper ends in turn, as bytes of KeyStrings. Routers send it for ranges whose owner changed while the statement went
 * to all shards, so that each document is reached once.
 */
public final class Within {
    public static final String FIELD = "$ostrakaWithin";

    private Within() {}

    static Optional<KeyRanges> parse(Fields fields) {
        List<BsonValue> ends = fields.array(FIELD);
        if (!fields.has(FIELD)) {
            return Optional.empty();
        }
        List<KeyRange> ranges = new ArrayList<>();
        for (int i = 0; i + 1 < ends.size(); i += 2) {
            if (!(ends.get(i) instanceof BsonBinary min) || !(ends.get(i + 1) instanceof BsonBinary max)) {
                throw FAILED_TO_PARSE.because("%s holds pairs of binary values", FIELD);
            }
            ranges.add(new KeyRange(min.getData(), max.getData()));
        }
        return Optional.of(KeyRanges.of(ranges));
    }

    /** Adds the field to a statement. */
    public static void add(RawBuilder statement, KeyRanges ranges) {
        statement.openArray(FIELD);
        int place = 0;
        for (KeyRange range : ranges.asList()) {
            statement.put(Integer.toString(place++), new BsonBinary(range.min()));
            statement.put(Integer.toString(place++), new BsonBinary(range.max()));
        }
        statement.close();
    }
}
