package io.ostraka.wire.command;

/**
 * What a command needs: the right a user must hold, where it may be sent, and from whom.
 *
 * @param action the right asked of {@link Permissions}, in MongoDB's words ({@code find}, {@code insert}, {@code moveChunk})
 * @param scope on what the right is needed
 * @param adminOnly whether the command must be sent to the database {@code admin} (else 13)
 * @param internal whether only processes of the same cluster may send it (else 13)
 * @param kind what it does to data
 */
public record Needs(String action, Scope scope, boolean adminOnly, boolean internal, Kind kind) {
    public enum Scope {
        /** Everybody may, without a user. */
        NONE,
        COLLECTION,
        DATABASE,
        CLUSTER
    }

    public enum Kind {
        /** Looks at nothing stored: {@code hello}, {@code ping}. Runs in any state. */
        STATELESS,
        /** Reads; a secondary may answer if the read preference allows. */
        READ,
        /** Changes something; only the primary. */
        WRITE,
        /** Administers; outside the bound on running requests, as commit, abort, killOp, killCursors. */
        CONTROL
    }

    /** For commands without any right. */
    public static final Needs NOTHING = new Needs("none", Scope.NONE, false, false, Kind.STATELESS);

    public static Needs read(String action) {
        return new Needs(action, Scope.COLLECTION, false, false, Kind.READ);
    }

    public static Needs write(String action) {
        return new Needs(action, Scope.COLLECTION, false, false, Kind.WRITE);
    }

    public static Needs database(String action, Kind kind) {
        return new Needs(action, Scope.DATABASE, false, false, kind);
    }

    public static Needs admin(String action, Kind kind) {
        return new Needs(action, Scope.CLUSTER, true, false, kind);
    }

    public static Needs cluster(String action, Kind kind) {
        return new Needs(action, Scope.CLUSTER, false, false, kind);
    }

    /** For commands between processes of one cluster. */
    public static Needs internal(Kind kind) {
        return new Needs("internal", Scope.CLUSTER, false, true, kind);
    }
}
