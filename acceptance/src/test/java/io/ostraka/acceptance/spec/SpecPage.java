package io.ostraka.acceptance.spec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bson.BsonDocument;

/**
 * One page; its words are in the package page.
 *
 * @param name the file's, without its ending
 * @param covers the table entries it is about
 * @param everywhere whether it runs on shards too
 */
record SpecPage(String name, TreeSet<String> covers, boolean everywhere, List<Step> steps) {
    /** What a page does, in order. */
    sealed interface Step {
        int line();
    }

    /** A fresh collection. */
    record Given(int line, String collection, List<BsonDocument> documents) implements Step {}

    /** A command, the database it is sent to if not the page's own, and what it must come to. */
    record When(int line, Optional<String> database, BsonDocument command, Expected expected, Optional<String> pending)
            implements Step {}

    /** What a command must come to. */
    sealed interface Expected {}

    record Fields(BsonDocument fields) implements Expected {}

    record Documents(List<BsonDocument> documents, boolean inOrder) implements Expected {}

    record Failure(String codeName) implements Expected {}

    /** All pages, sorted by name. */
    static List<SpecPage> all() {
        try (Stream<Path> files = Files.walk(Path.of("specs"))) {
            return files.filter(file -> file.toString().endsWith(".spec"))
                    .sorted()
                    .map(SpecPage::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SpecPage read(Path file) {
        try {
            String name = Path.of("specs").relativize(file).toString().replace(".spec", "");
            return new Reader(name, Files.readAllLines(file, StandardCharsets.UTF_8)).page();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A word at the margin, what stands behind it, and the lines below. */
    private record Word(int line, String word, String rest, List<String> below) {
        String text() {
            return rest + " " + String.join(" ", below);
        }
    }

    private static final class Reader {
        private final String name;
        private final List<Word> words = new ArrayList<>();
        private final TreeSet<String> covers = new TreeSet<>();
        private final List<Step> steps = new ArrayList<>();
        private boolean everywhere = true;

        Reader(String name, List<String> lines) {
            this.name = name;
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i).stripTrailing();
                if (line.isBlank() || line.stripLeading().startsWith("#")) {
                    continue;
                }
                if (Character.isWhitespace(line.charAt(0))) {
                    words.getLast().below().add(line.strip());
                } else {
                    int space = line.indexOf(' ');
                    String word = space < 0 ? line : line.substring(0, space);
                    String rest = space < 0 ? "" : line.substring(space + 1).strip();
                    words.add(new Word(i + 1, word, rest, new ArrayList<>()));
                }
            }
        }

        SpecPage page() {
            Optional<String> pending = Optional.empty();
            for (int i = 0; i < words.size(); i++) {
                Word word = words.get(i);
                switch (word.word()) {
                    case "covers" ->
                        covers.addAll(Arrays.asList(word.text().strip().split(",?\\s+")));
                    case "shapes" -> everywhere = !word.rest().equals("node");
                    case "given" -> steps.add(new Given(word.line(), word.rest(), documents(word)));
                    case "pending" -> pending = Optional.of(word.rest());
                    case "when" -> {
                        Expected expected = expected(words.get(++i));
                        String text = word.text().strip();
                        int brace = text.indexOf('{');
                        Optional<String> database = brace == 0
                                ? Optional.empty()
                                : Optional.of(text.substring(0, brace).strip());
                        steps.add(new When(
                                word.line(), database, BsonDocument.parse(text.substring(brace)), expected, pending));
                        pending = Optional.empty();
                    }
                    default -> throw wrong(word);
                }
            }
            return new SpecPage(name, covers, everywhere, List.copyOf(steps));
        }

        private Expected expected(Word word) {
            return switch (word.word()) {
                case "then" -> new Fields(BsonDocument.parse(word.text()));
                case "fails" -> new Failure(word.rest());
                case "docs" -> new Documents(documents(word), !word.rest().equals("any order"));
                default -> throw wrong(word);
            };
        }

        private List<BsonDocument> documents(Word word) {
            return word.below().stream().map(BsonDocument::parse).toList();
        }

        private IllegalArgumentException wrong(Word word) {
            return new IllegalArgumentException(
                    name + ":" + word.line() + ": '" + word.word() + "' is not understood here");
        }
    }
}
