package io.ostraka.node.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.KeyRanges;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.Ownership;
import io.ostraka.core.placement.PlacementVersion;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.node.catalog.CollectionEntry;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static final ShardKey KEY = ShardKey.parse(new BsonDocument("k", new BsonInt32(1)));
    private static final ShardKey REFINED =
            ShardKey.parse(new BsonDocument("k", new BsonInt32(1)).append("l", new BsonInt32(1)));
    private static final CollectionEntry UNTRACKED = new CollectionEntry(
            1,
            new Namespace("d", "c"),
            new UUID(1, 1),
            new BsonDocument(),
            Optional.empty(),
            false,
            List.of(),
            Optional.empty());
    private static final byte[] INSIDE = {0x30};

    private static CollectionEntry by(ShardKey key, boolean owns) {
        PlacementVersion version = new PlacementVersion(new Generation(new ObjectId(), new BsonTimestamp(1, 1)), 1, 0);
        KeyRanges owned = owns ? KeyRanges.of(List.of(new KeyRange(key.lowest(), key.highest()))) : KeyRanges.NONE;
        return UNTRACKED.withOwnership(Optional.of(Ownership.of(key, version, owned)));
    }

    @Test
    void whoKnowsTheKeyIsToldWhoOwnsIt() {
        assertThat(Placement.of(by(KEY, true), by(KEY, true), Optional.of(INSIDE)))
                .isEqualTo(Placement.OWNED);
        assertThat(Placement.of(by(KEY, false), by(KEY, true), Optional.of(INSIDE)))
                .isEqualTo(Placement.UNOWNED);
    }

    @Test
    void whoKnewTheCollectionBeforeItWasShardedBeginsAgain() {
        assertThat(Placement.of(by(KEY, true), UNTRACKED, Optional.empty())).isEqualTo(Placement.BLOCKED);
        assertThat(Placement.of(by(KEY, false), UNTRACKED, Optional.empty())).isEqualTo(Placement.BLOCKED);
    }

    @Test
    void whoMadeTheKeyByAnotherPatternBeginsAgain() {
        assertThat(Placement.of(by(REFINED, true), by(KEY, true), Optional.of(INSIDE)))
                .isEqualTo(Placement.BLOCKED);
    }

    @Test
    void whatIsNotShardedIsOwnedByWhoeverHasIt() {
        assertThat(Placement.of(UNTRACKED, by(KEY, true), Optional.of(INSIDE))).isEqualTo(Placement.OWNED);
        assertThat(Placement.of(UNTRACKED, UNTRACKED, Optional.empty())).isEqualTo(Placement.OWNED);
    }
}
