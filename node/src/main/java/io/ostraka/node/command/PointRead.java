package io.ostraka.node.command;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.view.Lookup;
import io.ostraka.node.view.View;
import io.ostraka.wire.request.FindRequest;
import java.util.Optional;
import org.bson.BsonType;

/**
 * A find of whole documents by {@code {_id: value}} and nothing else. It needs no filter, no plan and no cursor: what the
 * planner would do, {@code IDHACK}, is one look-up. Whatever this does not take for such a find goes the general way and is
 * answered the same.
 *
 * @param key of the value, where strings compare by their bytes
 * @param text whether a collation could make it equal to other values
 */
record PointRead(KeyString key, boolean text) {
    /** What is asked for, if it is such a read. */
    static Optional<PointRead> of(FindRequest request) {
        boolean plain = request.projection().isEmpty()
                && request.sort().isEmpty()
                && request.hint().isEmpty()
                && request.skip() == 0
                && request.firstBatch() > 0
                && request.min().isEmpty()
                && request.max().isEmpty()
                && !request.returnKey()
                && !request.showRecordId()
                && !request.tailable()
                && request.collation().isEmpty()
                && request.let().isEmpty();
        RawCursor field = request.filter().cursor();
        if (!plain || !field.next() || !field.nameEquals("_id") || !Lookup.isOneValue(field.type())) {
            return Optional.empty();
        }
        KeyString key = KeyString.builder().add(field, false).build();
        boolean text = field.type() == BsonType.STRING;
        return field.next() ? Optional.empty() : Optional.of(new PointRead(key, text));
    }

    /** Whether the collection's own rules leave the value what it is. */
    boolean isFor(CollectionEntry collection) {
        return !text || collection.collation().isSimple();
    }

    /** The owned document. */
    Optional<RawDocument> find(View view, CollectionEntry collection) {
        return Lookup.planned(view, collection, key).map(Lookup.Found::document);
    }
}
