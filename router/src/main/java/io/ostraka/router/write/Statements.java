package io.ostraka.router.write;

import io.ostraka.router.routing.Routing;

/** The statements of one write command. */
public interface Statements {
    /** The field, or document sequence, they came in. */
    String field();

    int size();

    /** Whether any of them can make a document, so that the database must exist. */
    boolean create();

    /** Where a statement goes. May read, to find out. */
    Route route(int index, Routing routing);
}
