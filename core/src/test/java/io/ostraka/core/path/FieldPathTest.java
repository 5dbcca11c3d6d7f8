package io.ostraka.core.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.core.bson.RawDocument;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class FieldPathTest {
    @Test
    void knowsItsPartsAndPositions() {
        FieldPath path = FieldPath.of("a.10.01.");
        assertThat(path.length()).isEqualTo(4);
        assertThat(path.index(1)).isEqualTo(10);
        assertThat(path.index(2)).isEqualTo(-1);
        assertThat(path.hasEmptyPart()).isTrue();
        assertThat(FieldPath.of("a.10").isPrefixOf(path)).isTrue();
        assertThat(FieldPath.of("a.1").isPrefixOf(path)).isFalse();
    }

    @Test
    void findsThroughDocumentsOnly() {
        RawDocument document = RawDocument.of(BsonDocument.parse("{a: {b: 3}, c: [{b: 4}]}"));
        assertThat(FieldPath.of("a.b").find(document).int32()).isEqualTo(3);
        assertThat(FieldPath.of("c.b").find(document)).isNull();
    }
}
