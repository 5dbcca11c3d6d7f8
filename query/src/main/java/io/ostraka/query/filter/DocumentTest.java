package io.ostraka.query.filter;

import io.ostraka.core.bson.RawDocument;

/** A compiled filter. Keeps no state: any thread may run it. */
@FunctionalInterface
public interface DocumentTest {
    boolean test(RawDocument document);
}
