package io.ostraka.query.execute;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.RecordId;

/**
 * What flows through a plan.
 *
 * @param id the record
 * @param document the document; {@link RawDocument#EMPTY} below a fetch, and where only counting matters
 */
public record Row(RecordId id, RawDocument document) {}
