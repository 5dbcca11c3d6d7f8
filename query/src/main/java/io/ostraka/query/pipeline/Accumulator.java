package io.ostraka.query.pipeline;

import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Gathers the values of one field of one group. One thread. */
interface Accumulator {
    /** Takes in one document's value, which may be missing. */
    void add(BsonValue value);

    /** What the group shows; missing for nothing. */
    BsonValue result();

    /** What it has gathered, so that another one can go on from it. */
    BsonDocument partial();

    /** Takes in what another one has gathered, as if its values had come after all so far. */
    void combine(BsonDocument partial);

    /** About how many bytes the gathered values take. */
    default long bytes() {
        return 64;
    }
}
