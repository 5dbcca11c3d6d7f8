package io.ostraka.node.write;

import io.ostraka.core.error.CommandException;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * One entry of {@code writeErrors}.
 *
 * @param index the statement's place in the request
 */
public record WriteError(int index, CommandException error) {
    /** {@code {index, code, …, errmsg}}, with {@code keyPattern} and {@code keyValue} for a duplicate key. */
    public BsonDocument toBson() {
        BsonDocument shown = new BsonDocument("index", new BsonInt32(index))
                .append("code", new BsonInt32(error.code().number()));
        error.extra().forEach(shown::append);
        return shown.append("errmsg", new BsonString(String.valueOf(error.getMessage())));
    }
}
