package io.ostraka.bench.load;

import io.ostraka.bench.target.TargetSpec;
import java.util.List;

/**
 * What is measured.
 *
 * @param targets visited in turn; ratios are to the first
 * @param documents in each collection that is read
 * @param documentBytes about the size of each
 * @param warmUpSeconds before the first round of each work on each target
 * @param seconds of each round
 */
record LoadSettings(
        List<TargetSpec> targets,
        List<String> works,
        List<Integer> threads,
        int documents,
        int documentBytes,
        double warmUpSeconds,
        double seconds,
        int rounds,
        long seed) {}
