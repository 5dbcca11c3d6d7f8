package io.ostraka.wire.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class BatchReplyTest {
    private static RawDocument ofBytes(int bytes) {
        return RawDocument.of(new BsonDocument("b", new BsonBinary(new byte[bytes])));
    }

    @Test
    void aDocumentNoClientWouldTakeIsAnErrorNotAReply() {
        BatchReply reply = BatchReply.first("db.c", 10);
        assertThat(reply.add(ofBytes(BatchReply.MAX_BYTES))).isTrue();
        assertThat(reply.add(ofBytes(1))).as("the batch is full").isFalse();
        assertThatThrownBy(() -> BatchReply.first("db.c", 10).add(ofBytes(BatchReply.MAX_DOCUMENT_BYTES)))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BSON_OBJECT_TOO_LARGE));
    }
}
