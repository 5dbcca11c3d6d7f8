package io.ostraka.bench.load;

import java.util.random.RandomGenerator;

/** One kind of operation on one target. Safe for many threads. */
interface Work extends AutoCloseable {
    /** What one thread does again and again. */
    interface Worker {
        /** One operation; throws if the answer is wrong. */
        void step(RandomGenerator random) throws Exception;
    }

    Worker worker();

    /** Looks at what is stored after all rounds; throws if it is not what was acknowledged. */
    default void verify() {}

    @Override
    default void close() {}

    static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("wrong answer: " + what);
        }
    }
}
