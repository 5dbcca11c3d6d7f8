package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.GRANULARITY_UNKNOWN;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;

/**
 * A series of preferred numbers, whose members are a decade's, times powers of ten, or the powers of two. Zero is below
 * them all.
 */
final class Granularity {
    private static final double[] POWERS_OF_TWO = {};

    /** The numbers of one decade, as whole numbers. */
    private final double[] decade;

    private Granularity(double... decade) {
        this.decade = decade;
    }

    /** @throws io.ostraka.core.error.CommandException 40257 for a series that does not exist */
    static Granularity of(String name) {
        return new Granularity(
                switch (name) {
                    case "R5" -> renard(5);
                    case "R10" -> renard(10);
                    case "R20" -> renard(20);
                    case "R40" -> renard(40);
                    case "R80" -> RENARD_80.clone();
                    case "1-2-5" -> new double[] {1, 2, 5};
                    case "E6" -> everyOf(E24, 4);
                    case "E12" -> everyOf(E24, 2);
                    case "E24" -> E24.clone();
                    case "E48" -> resistors(48);
                    case "E96" -> resistors(96);
                    case "E192" -> resistors(192);
                    case "POWERSOF2" -> POWERS_OF_TWO;
                    default -> throw GRANULARITY_UNKNOWN.because("Unknown rounding granularity '%s'", name);
                });
    }

    /** The series E24 of IEC 60063; E12 and E6 are every second and every fourth of it. */
    private static final double[] E24 = {
        10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91
    };

    /** The series R80 of ISO 3; the smaller ones are parts of it. */
    private static final double[] RENARD_80 = {
        1.00, 1.03, 1.06, 1.09, 1.12, 1.15, 1.18, 1.22, 1.25, 1.28, 1.32, 1.36, 1.40, 1.45, 1.50, 1.55, 1.60, 1.65,
        1.70, 1.75, 1.80, 1.85, 1.90, 1.95, 2.00, 2.06, 2.12, 2.18, 2.24, 2.30, 2.36, 2.43, 2.50, 2.58, 2.65, 2.72,
        2.80, 2.90, 3.00, 3.07, 3.15, 3.25, 3.35, 3.45, 3.55, 3.65, 3.75, 3.87, 4.00, 4.12, 4.25, 4.37, 4.50, 4.62,
        4.75, 4.87, 5.00, 5.15, 5.30, 5.45, 5.60, 5.80, 6.00, 6.15, 6.30, 6.50, 6.70, 6.90, 7.10, 7.30, 7.50, 7.75,
        8.00, 8.25, 8.50, 8.75, 9.00, 9.25, 9.50, 9.75
    };

    private static double[] renard(int count) {
        return everyOf(RENARD_80, RENARD_80.length / count);
    }

    private static double[] everyOf(double[] series, int step) {
        double[] some = new double[series.length / step];
        for (int i = 0; i < some.length; i++) {
            some[i] = series[i * step];
        }
        return some;
    }

    /** The series of three digits are rounded roots of ten, but for one number. */
    private static double[] resistors(int count) {
        double[] series = new double[count];
        for (int i = 0; i < count; i++) {
            double rounded = Math.rint(Math.pow(10, 2 + (double) i / count));
            series[i] = rounded == 919 ? 920 : rounded;
        }
        return series;
    }

    /** The least number of the series that is greater. */
    double above(double value) {
        if (value == 0) {
            return 0;
        }
        if (decade.length == 0) {
            return Math.scalb(1.0, Math.getExponent(value) + 1);
        }
        for (int exponent = exponent(value) - 3; ; exponent++) {
            for (double each : decade) {
                double candidate = scaled(each, exponent);
                if (candidate > value) {
                    return candidate;
                }
            }
        }
    }

    /** The greatest number of the series that is less; zero for zero. */
    double below(double value) {
        if (value == 0) {
            return 0;
        }
        if (decade.length == 0) {
            int exponent = Math.getExponent(value);
            return Math.scalb(1.0, Math.scalb(1.0, exponent) == value ? exponent - 1 : exponent);
        }
        for (int exponent = exponent(value) + 1; ; exponent--) {
            for (int i = decade.length - 1; i >= 0; i--) {
                double candidate = scaled(decade[i], exponent);
                if (candidate < value) {
                    return candidate;
                }
            }
        }
    }

    private static int exponent(double value) {
        return (int) Math.floor(Math.log10(value));
    }

    /** Exactly the decimal number that is meant, so that 6.3 times ten is 63. */
    private static double scaled(double of, int exponent) {
        return BigDecimal.valueOf(of)
                .scaleByPowerOfTen(exponent)
                .round(new MathContext(17, RoundingMode.HALF_EVEN))
                .doubleValue();
    }

    @Override
    public String toString() {
        return Arrays.toString(decade);
    }
}
