package io.ostraka.bench.load;

import java.util.random.RandomGenerator;

/** Numbers below a bound, few of them often: Zipf's distribution with exponent 0.99, scattered over the range. */
final class Zipf {
    private static final double THETA = 0.99;

    private final int bound;
    private final double zeta;
    private final double alpha = 1 / (1 - THETA);
    private final double eta;

    Zipf(int bound) {
        this.bound = bound;
        double sum = 0;
        for (int i = 1; i <= bound; i++) {
            sum += 1 / Math.pow(i, THETA);
        }
        zeta = sum;
        double two = 1 + Math.pow(0.5, THETA);
        eta = (1 - Math.pow(2.0 / bound, 1 - THETA)) / (1 - two / zeta);
    }

    int next(RandomGenerator random) {
        double u = random.nextDouble();
        double uz = u * zeta;
        long rank =
                uz < 1 ? 0 : uz < 1 + Math.pow(0.5, THETA) ? 1 : (long) (bound * Math.pow(eta * u - eta + 1, alpha));
        return (int) Math.floorMod(Math.min(rank, bound - 1) * 0x9E3779B97F4A7C15L >>> 1, (long) bound);
    }
}
