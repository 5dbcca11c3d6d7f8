/**
 * What everything that runs a query shares: its context, its bounds, and the stream documents flow through.
 *
 * <p><b>Always.</b> Streams are pulled; nobody runs ahead. A stream that holds many documents counts their bytes
 * against {@link io.ostraka.query.run.QueryLimits}, and past it goes on in a {@link io.ostraka.query.run.SpillSpace} where
 * there is one.
 */
package io.ostraka.query.run;
