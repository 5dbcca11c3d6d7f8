package io.ostraka.node.command;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Operation;
import java.util.List;
import org.bson.BsonDocument;

/** A first stage of a pipeline whose documents are no collection's, such as {@code $collStats}. */
@FunctionalInterface
public interface OutsideStage {
    /**
     * Its documents.
     *
     * @param opened the View and collection of the command
     * @param namespace what the command was sent to, as {@code db.collection}
     * @param options the stage's own document
     */
    List<RawDocument> documents(Reading.Opened opened, String namespace, BsonDocument options, Operation operation);
}
