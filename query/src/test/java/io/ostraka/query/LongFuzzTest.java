package io.ostraka.query;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;

/** A million cases of what {@link FuzzTest} tries in tens of thousands. */
@Tag("long")
class LongFuzzTest {
    private final FuzzTest cases = new FuzzTest();

    @Property(tries = 350_000)
    void filters(@ForAll long seed) {
        cases.filters(seed);
    }

    @Property(tries = 350_000)
    void updates(@ForAll long seed) {
        cases.updates(seed);
    }

    @Property(tries = 300_000)
    void stages(@ForAll long seed) {
        cases.stages(seed);
    }
}
