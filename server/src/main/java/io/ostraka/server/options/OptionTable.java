package io.ostraka.server.options;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Every flag and file key of {@code mongod} and {@code mongos} 8.0, from {@code options.tsv}: one line an option, with what
 * it means here.
 */
public final class OptionTable {
    private static final String FILE = "options.tsv";

    private final String program;
    private final Map<String, Option> byFlag = new LinkedHashMap<>();
    private final Map<String, Option> byKey = new LinkedHashMap<>();

    /** @param program {@code mongod} or {@code mongos} */
    public OptionTable(String program) {
        this.program = program;
        for (Option option : read()) {
            if (option.programs().include(program)) {
                byFlag.put(option.flag(), option);
                if (!option.key().isEmpty()) {
                    byKey.put(option.key(), option);
                }
            }
        }
    }

    private static List<Option> read() {
        List<Option> options = new ArrayList<>();
        try (InputStream in = OptionTable.class.getResourceAsStream(FILE)) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                if (line.startsWith("#")) {
                    continue;
                }
                String[] part = line.split("\t", -1);
                options.add(new Option(
                        part[0],
                        part[1],
                        Option.Takes.valueOf(part[2]),
                        Option.Treatment.valueOf(part[3]),
                        Option.Programs.valueOf(part[4]),
                        part[5]));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return options;
    }

    String program() {
        return program;
    }

    /** The flags that are obeyed, in the table's order. */
    public List<String> obeyed() {
        return byFlag.values().stream()
                .filter(option -> option.treatment() == Option.Treatment.OBEYED)
                .map(Option::flag)
                .toList();
    }

    Optional<Option> flag(String name) {
        return Optional.ofNullable(byFlag.get(name));
    }

    Optional<Option> key(String path) {
        return Optional.ofNullable(byKey.get(path));
    }

    /** The known name nearest to a mistyped one, if one is near. */
    Optional<String> nearest(String name, boolean keys) {
        String best = null;
        int least = Math.max(2, name.length() / 3);
        for (String known : keys ? byKey.keySet() : byFlag.keySet()) {
            int distance = distance(name, known);
            if (distance < least || distance == least && best == null) {
                least = distance;
                best = known;
            }
        }
        return Optional.ofNullable(best);
    }

    /** Levenshtein's distance. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }

    /** The table as Markdown rows, for {@code docs/operations/options.md}. */
    public static String markdown() {
        StringBuilder text = new StringBuilder("| flag | file key | program | here |\n|---|---|---|---|\n");
        for (Option option : read()) {
            String here = switch (option.treatment()) {
                case OBEYED -> "obeyed";
                case WITHOUT_EFFECT -> "accepted without effect: " + option.why();
                case REFUSED -> "refused: " + option.why();
            };
            text.append("| `--").append(option.flag()).append("` | ");
            text.append(option.key().isEmpty() ? "" : "`" + option.key() + "`").append(" | ");
            text.append(
                    option.programs() == Option.Programs.BOTH
                            ? "both"
                            : option.programs().name().toLowerCase(Locale.ROOT));
            text.append(" | ").append(here).append(" |\n");
        }
        return text.toString();
    }
}
