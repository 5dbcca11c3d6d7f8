package io.ostraka.core.key;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class RecordIdTest {
    @Property
    void bytesSortAsNumbersDo(
            @ForAll @LongRange(min = 1, max = Long.MAX_VALUE) long one,
            @ForAll @LongRange(min = 1, max = Long.MAX_VALUE) long other) {
        RecordId id = RecordId.of(one);
        assertThat(Integer.signum(id.compareTo(RecordId.of(other)))).isEqualTo(Long.compare(one, other));
        assertThat(RecordId.of(id.toByteArray()).number()).isEqualTo(one);
    }
}
