package io.ostraka.query.index;

import io.ostraka.core.path.FieldPath;

/** One field of an index's or a shard key's pattern. */
public record IndexField(FieldPath path, Kind kind) {
    /** The last part of the path of a wildcard. */
    static final String WILDCARD = "$**";

    /** What of the field's values is in the keys. */
    public enum Kind {
        ASCENDING,
        DESCENDING,
        HASHED,
        /** Words of several fields. */
        TEXT,
        /** Cells of a plane. */
        PLANAR,
        /** Cells of the earth's surface. */
        SPHERE
    }

    public boolean isDescending() {
        return kind == Kind.DESCENDING;
    }

    public boolean isHashed() {
        return kind == Kind.HASHED;
    }

    /** Whether it stands for all fields, or all below one. */
    public boolean isWildcard() {
        return path.last().equals(WILDCARD);
    }

    /** Whether its part of a key is the value itself. */
    public boolean isValue() {
        return (kind == Kind.ASCENDING || kind == Kind.DESCENDING) && !isWildcard();
    }

    /** Whether one value may have several parts of keys, made of it. */
    boolean isDerived() {
        return isWildcard() || kind == Kind.TEXT || isGeo();
    }

    /** Whether it is about places. */
    public boolean isGeo() {
        return kind == Kind.PLANAR || kind == Kind.SPHERE;
    }
}
