package io.ostraka.query.index;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * Which paths a wildcard stands for.
 *
 * @param below what it stands behind; empty for the whole document
 * @param including whether only what is named is meant, else all but that
 * @param named paths, with everything below them
 */
record WildcardFields(Optional<FieldPath> below, boolean including, List<FieldPath> named) {
    private static final FieldPath ID = FieldPath.of("_id");

    WildcardFields {
        named = List.copyOf(named);
    }

    /** Of an index with one wildcard, whose projection is valid. */
    static WildcardFields of(FieldPath path, Optional<RawDocument> projection) {
        if (path.length() > 1) {
            return new WildcardFields(Optional.of(path.prefix(path.length() - 1)), false, List.of());
        }
        if (projection.isEmpty()) {
            return new WildcardFields(Optional.empty(), false, List.of(ID));
        }
        List<FieldPath> kept = new ArrayList<>();
        List<FieldPath> left = new ArrayList<>();
        collect(projection.get().toBson(), "", kept, left);
        boolean including = kept.stream().anyMatch(each -> !each.equals(ID))
                || left.stream().allMatch(ID::equals) && !kept.isEmpty();
        if (including) {
            return new WildcardFields(Optional.empty(), true, kept);
        }
        if (!kept.contains(ID) && !left.contains(ID)) {
            left.add(ID);
        }
        return new WildcardFields(Optional.empty(), false, left);
    }

    private static void collect(BsonDocument document, String prefix, List<FieldPath> kept, List<FieldPath> left) {
        document.forEach((name, value) -> {
            if (value.isDocument()) {
                collect(value.asDocument(), prefix + name + ".", kept, left);
            } else {
                (Values.isTrue(value) ? kept : left).add(FieldPath.of(prefix + name));
            }
        });
    }

    /** Whether values at a path have keys. */
    boolean has(FieldPath path) {
        if (below.isPresent()) {
            return isAtOrBelow(path, below.get());
        }
        return including == named.stream().anyMatch(each -> isAtOrBelow(path, each));
    }

    /** Whether values at a path and at all below it have keys. */
    boolean hasAllBelow(FieldPath path) {
        return has(path) && (including || named.stream().noneMatch(path::isPrefixOf));
    }

    /** Whether values at a path, or at one below it, may have keys. */
    boolean mayHaveBelow(FieldPath path) {
        if (has(path)) {
            return true;
        }
        return below.map(path::isPrefixOf)
                .orElseGet(() -> including && named.stream().anyMatch(path::isPrefixOf));
    }

    private static boolean isAtOrBelow(FieldPath path, FieldPath above) {
        return above.equals(path) || above.isPrefixOf(path);
    }
}
