package io.ostraka.query.run;

import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;

import io.ostraka.core.bson.RawDocument;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/** Reads other collections of the same database, for stages that need them. */
@FunctionalInterface
public interface ForeignCollections {
    /** Where there are no collections to be read. */
    ForeignCollections NONE = (_, _, _) -> {
        throw INVALID_OPTIONS.because("other collections cannot be read here");
    };

    /**
     * Runs a pipeline.
     *
     * @param collection empty for a pipeline that begins with documents of its own
     * @param let variables of the pipeline, as of an aggregate
     */
    DocumentStream read(Optional<String> collection, List<RawDocument> pipeline, BsonDocument let);
}
