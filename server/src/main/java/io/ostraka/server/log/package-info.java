/**
 * The log of a program: one JSON document a line, in MongoDB's fields {@code t s c id ctx msg attr}.
 *
 * <p><b>Way through.</b> {@link io.ostraka.server.log.ServerLog} sets the back end up; {@link io.ostraka.server.log.JsonLine}
 * writes events; the last lines stay in memory for {@code getLog}.
 *
 * <p><b>Not here.</b> The embedded cluster: it logs through SLF4J's API to whatever back end its JVM has.
 */
package io.ostraka.server.log;
