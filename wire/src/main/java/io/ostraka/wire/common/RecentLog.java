package io.ostraka.wire.common;

import java.util.List;

/** The last lines of the log, as {@code getLog} shows them. Whoever owns the log's back end feeds it. */
public interface RecentLog {
    /** Lines one log keeps. */
    int MAX_LINES = 1024;

    /**
     * The lines of {@code global} or {@code startupWarnings}, oldest first, each a JSON document with the fields
     * {@code t, s, c, id, ctx, msg, attr}.
     */
    List<String> lines(String log);

    /** Lines ever written to it. */
    long total(String log);

    /** For a process whose log goes elsewhere. */
    RecentLog NONE = new RecentLog() {
        @Override
        public List<String> lines(String log) {
            return List.of();
        }

        @Override
        public long total(String log) {
            return 0;
        }
    };
}
