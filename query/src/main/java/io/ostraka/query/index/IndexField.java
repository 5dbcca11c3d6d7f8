package io.ostraka.query.index;

import io.ostraka.core.path.FieldPath;

/** One field of an index's or a shard key's pattern. */
public record IndexField(FieldPath path, Kind kind) {
    public enum Kind {
        ASCENDING,
        DESCENDING,
        HASHED
    }

    public boolean isDescending() {
        return kind == Kind.DESCENDING;
    }

    public boolean isHashed() {
        return kind == Kind.HASHED;
    }
}
