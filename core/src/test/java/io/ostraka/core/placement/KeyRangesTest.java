package io.ostraka.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyRangesTest {
    private static final long SEED = Long.getLong("ostraka.seed", 7L);

    private static byte[] key(int value) {
        return new byte[] {(byte) value};
    }

    private static KeyRanges random(Random random) {
        List<KeyRange> ranges = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            int min = random.nextInt(99);
            ranges.add(new KeyRange(key(min), key(min + 1 + random.nextInt(100 - min))));
        }
        return KeyRanges.of(ranges);
    }

    @Test
    void anIntersectionHoldsWhatBothHold() {
        for (int round = 0; round < 500; round++) {
            Random random = new Random(SEED + round);
            KeyRanges one = random(random);
            KeyRanges other = random(random);
            KeyRanges both = one.intersect(other);
            assertThat(both).as("seed " + (SEED + round)).isEqualTo(other.intersect(one));
            for (int value = 0; value <= 100; value++) {
                assertThat(both.contains(key(value)))
                        .as("seed " + (SEED + round) + ", key " + value)
                        .isEqualTo(one.contains(key(value)) && other.contains(key(value)));
            }
        }
    }
}
