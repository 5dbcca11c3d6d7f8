package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.CHANGE_STREAM_FATAL_ERROR;
import static io.ostraka.core.error.ErrorCode.ILLEGAL_OPERATION;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.RunContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The stages behind {@code $changeStream}: those that look at one event at a time. */
final class StreamPipeline {
    private static final Set<String> ALLOWED =
            Set.of("$addFields", "$match", "$project", "$redact", "$replaceRoot", "$replaceWith", "$set", "$unset");

    private StreamPipeline() {}

    /** @throws io.ostraka.core.error.CommandException 20 for a stage that needs more than one event */
    static void check(List<RawDocument> stages) {
        for (RawDocument stage : stages) {
            if (!ALLOWED.contains(String.valueOf(stage.firstName()))) {
                throw ILLEGAL_OPERATION.because("%s is not permitted in a $changeStream pipeline", stage.firstName());
            }
        }
    }

    /** What the stages make of an event; empty where they leave it out. */
    static Optional<RawDocument> apply(Pipeline stages, RawDocument event, RunContext context) {
        try (DocumentStream stream = stages.open(DocumentStream.of(List.of(event)), context)) {
            RawDocument left = stream.next();
            if (left == null) {
                return Optional.empty();
            }
            if (left.find("_id") == null || !left.get("_id").equals(event.get("_id"))) {
                throw CHANGE_STREAM_FATAL_ERROR
                        .because(
                                "Encountered an event whose _id field, which contains the resume token, was modified by"
                                        + " the pipeline. Modifying the _id field of an event makes it impossible to resume the"
                                        + " stream from that point. Only transformations that retain the unmodified _id field are"
                                        + " allowed.")
                        .labelled("NonResumableChangeStreamError");
            }
            return Optional.of(left);
        }
    }
}
