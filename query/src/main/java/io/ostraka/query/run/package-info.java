/**
 * What everything that runs a query shares: its context, its bounds, and the stream documents flow through.
 *
 * <p><b>Always.</b> Streams are pulled; nobody runs ahead. A stream that holds many documents counts their bytes
 * against {@link io.ostraka.query.run.QueryLimits}.
 */
package io.ostraka.query.run;
