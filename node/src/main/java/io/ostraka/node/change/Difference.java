package io.ostraka.node.change;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which fields an update has changed, by their paths: {@code {s: [ set, … ], r: [ removed, … ]}}. Their values stand in the
 * document after. Goes into documents, not into arrays. A replacement has none.
 */
public final class Difference {
    /** Of a document put in place of another. */
    public static final RawDocument REPLACEMENT =
            new RawBuilder(24).put("replace", true).build();

    private final List<String> set = new ArrayList<>();
    private final List<String> removed = new ArrayList<>();

    private Difference() {}

    /** The paths that differ. */
    public static RawDocument between(RawDocument before, RawDocument after) {
        Difference difference = new Difference();
        difference.walk("", before, after);
        RawBuilder builder = new RawBuilder(64);
        put(builder, "s", difference.set);
        put(builder, "r", difference.removed);
        return builder.build();
    }

    private static void put(RawBuilder builder, String name, List<String> paths) {
        builder.openArray(name);
        for (int i = 0; i < paths.size(); i++) {
            builder.put(Integer.toString(i), paths.get(i));
        }
        builder.close();
    }

    private void walk(String prefix, RawDocument before, RawDocument after) {
        RawCursor old = before.cursor();
        boolean inStep = old.next();
        RawCursor now = after.cursor();
        while (now.next()) {
            // Most fields stand where they stood; only from the first that does not are they looked for.
            RawCursor had = inStep && sameName(old, now) ? old : before.find(now.name());
            if (had == null) {
                set.add(prefix + now.name());
            } else if (!sameValue(had, now)) {
                if (had.isDocument() && now.isDocument()) {
                    walk(prefix + now.name() + ".", had.document(), now.document());
                } else {
                    set.add(prefix + now.name());
                }
            }
            inStep = inStep && old.next();
        }
        old = before.cursor();
        while (old.next()) {
            if (after.find(old.name()) == null) {
                removed.add(prefix + old.name());
            }
        }
    }

    private static boolean sameName(RawCursor one, RawCursor other) {
        return Arrays.equals(
                one.array(),
                one.nameOffset(),
                one.nameOffset() + one.nameLength(),
                other.array(),
                other.nameOffset(),
                other.nameOffset() + other.nameLength());
    }

    private static boolean sameValue(RawCursor one, RawCursor other) {
        return one.typeByte() == other.typeByte()
                && Arrays.equals(
                        one.array(),
                        one.valueOffset(),
                        one.valueOffset() + one.valueSize(),
                        other.array(),
                        other.valueOffset(),
                        other.valueOffset() + other.valueSize());
    }
}
