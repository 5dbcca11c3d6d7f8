package io.ostraka.bench.load;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** JSON lines for machines, tables for people. */
final class Report implements AutoCloseable {
    private final Writer json;
    private final Map<String, List<Outcome>> current = new LinkedHashMap<>();

    private Report(Writer json) {
        this.json = json;
    }

    /** @param file for JSON lines, or null */
    static Report open(Path file) throws IOException {
        return new Report(
                file == null
                        ? Writer.nullWriter()
                        : new BufferedWriter(Files.newBufferedWriter(
                                file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND)));
    }

    void add(String work, int threads, String target, int round, Outcome outcome) throws IOException {
        current.computeIfAbsent(target, _ -> new ArrayList<>()).add(outcome);
        Histogram times = outcome.times();
        json.write(String.format(
                Locale.ROOT,
                "{\"work\":\"%s\",\"threads\":%d,\"target\":\"%s\",\"round\":%d,\"operations\":%d,\"perSecond\":%.1f,"
                        + "\"p50us\":%.1f,\"p95us\":%.1f,\"p99us\":%.1f,\"maxUs\":%.1f,\"serverUsPerOp\":%.2f,"
                        + "\"allocatedPerOp\":%.0f}%n",
                work,
                threads,
                target.replace("\\", "\\\\").replace("\"", "\\\""),
                round,
                times.getTotalCount(),
                outcome.perSecond(),
                times.getValueAtPercentile(50) / 1e3,
                times.getValueAtPercentile(95) / 1e3,
                times.getValueAtPercentile(99) / 1e3,
                times.getMaxValue() / 1e3,
                outcome.serverNanos() / 1e3 / Math.max(1, times.getTotalCount()),
                (double) outcome.allocated() / Math.max(1, times.getTotalCount())));
        json.flush();
    }

    /** Prints what was added since the last table. */
    void table(String work, int threads) {
        System.out.printf(
                Locale.ROOT,
                "%n%-26s %9s %6s %9s %9s %9s %9s %10s%n",
                work + ", " + threads + (threads == 1 ? " thread" : " threads"),
                "ops/s",
                "ratio",
                "p50 us",
                "p95 us",
                "p99 us",
                "cpu us/op",
                "alloc/op");
        double first = 0;
        for (Map.Entry<String, List<Outcome>> each : current.entrySet()) {
            List<Outcome> rounds = each.getValue();
            double rate =
                    middle(rounds.stream().map(Outcome::perSecond).sorted().toList());
            first = first == 0 ? rate : first;
            Histogram times = new Histogram(3);
            rounds.forEach(round -> times.add(round.times()));
            long count = Math.max(1, times.getTotalCount());
            System.out.printf(
                    Locale.ROOT,
                    "  %-24s %9.1f %6.2f %9.0f %9.0f %9.0f %9.1f %10.0f%n",
                    shortened(each.getKey()),
                    rate,
                    rate / first,
                    times.getValueAtPercentile(50) / 1e3,
                    times.getValueAtPercentile(95) / 1e3,
                    times.getValueAtPercentile(99) / 1e3,
                    rounds.stream().mapToLong(Outcome::serverNanos).sum() / 1e3 / count,
                    (double) rounds.stream().mapToLong(Outcome::allocated).sum() / count);
        }
        System.out.flush();
        current.clear();
    }

    private static double middle(List<Double> sorted) {
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }

    private static String shortened(String label) {
        return label.length() <= 24 ? label : label.substring(0, 10) + ".." + label.substring(label.length() - 12);
    }

    @Override
    public void close() throws IOException {
        json.close();
    }
}
