package io.ostraka.query.plan;

import static io.ostraka.query.TestRun.CONTEXT;
import static io.ostraka.query.TestRun.doc;
import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.query.execute.Execution;
import io.ostraka.query.execute.MemorySource;
import io.ostraka.query.execute.Trial;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.run.QueryLimits;
import io.ostraka.query.sort.SortPattern;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The plans of {@code src/test/resources/plans}: data, indexes, queries, and for each the tree that is chosen and what it looks
 * at, keys and documents together, beside the least that any one index or a scan of the collection would. A change of the
 * planner is a change of these pages, which {@code -Dplans.write=true} writes anew.
 */
class PlanCorpusTest {
    /** How much more than the least a plan may look at. */
    private static final int FACTOR = 3;

    private static final int PAGES_MIN = 200;

    private static final Path FOLDER = Path.of("src/test/resources/plans");
    private static final Pattern WHEN = Pattern.compile("when (.*) sort (.*) limit (\\d+)");

    private record Page(String filter, String sort, long limit) {
        FindQuery query() {
            return FindQuery.of(FilterParser.parse(doc(filter)))
                    .sorted(SortPattern.parse(doc(sort)))
                    .limited(limit);
        }
    }

    private record Book(String name, List<String> heading, List<Page> pages, String text) {
        static Book read(Path file) {
            try {
                String text = Files.readString(file, StandardCharsets.UTF_8);
                List<String> heading = new ArrayList<>();
                List<Page> pages = new ArrayList<>();
                for (String line : text.lines().toList()) {
                    Matcher when = WHEN.matcher(line);
                    if (line.startsWith("data ") || line.startsWith("index ")) {
                        heading.add(line);
                    } else if (when.matches()) {
                        pages.add(new Page(when.group(1), when.group(2), Long.parseLong(when.group(3))));
                    }
                }
                return new Book(file.getFileName().toString(), heading, pages, text);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }

        MemorySource source() {
            String[] data = heading.getFirst().split(" ");
            List<RawDocument> documents = new ArrayList<>();
            for (int i = 0; i < Integer.parseInt(data[2]); i++) {
                documents.add(document(data[1], i));
            }
            List<IndexDefinition> indexes = new ArrayList<>(List.of(IndexDefinition.ID));
            for (String line : heading.subList(1, heading.size())) {
                String key = line.substring("index ".length());
                indexes.add(IndexDefinition.parse(RawDocument.of(new BsonDocument("key", BsonDocument.parse(key))
                        .append("name", new BsonString("i" + indexes.size())))));
            }
            return new MemorySource(documents, indexes);
        }

        /** A document of a kind: what the values say of each other differs. */
        private static RawDocument document(String kind, int i) {
            int mixed = i * 7919 % 10_007;
            int a = kind.equals("skewed") ? (i % 20 == 0 ? i / 20 % 10 : 1) : mixed % 10;
            int b = kind.equals("correlated") ? a * 10 + i % 3 : mixed / 10 % 97;
            BsonDocument document = new BsonDocument("_id", new BsonInt32(i))
                    .append("a", new BsonInt32(a))
                    .append("b", new BsonInt32(b))
                    .append("c", new BsonInt32(i))
                    .append("d", new BsonString("u" + mixed % 25))
                    .append("f", new BsonDocument("g", new BsonInt32(i % 13)));
            BsonValue e = new BsonInt32(i % 5);
            document.put(
                    "e",
                    kind.equals("arrays") && i % 3 == 0
                            ? new BsonArray(List.of(new BsonInt32(i % 5), new BsonInt32(i % 7)))
                            : e);
            return RawDocument.of(document);
        }
    }

    private static List<Book> books() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().map(Book::read).toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private record Run(PlanNode plan, long works) {}

    private static Run run(PlanNode plan, MemorySource source) {
        try (Execution execution = Execution.open(plan, source, CONTEXT)) {
            long unused = execution.count();
            return new Run(
                    plan,
                    execution.counters().keysExamined() + execution.counters().docsExamined());
        }
    }

    private static Run chosen(Page page, MemorySource source) {
        List<PlanNode> plans =
                Planner.candidates(page.query(), source.indexes(), Optional.empty(), QueryLimits.DEFAULT);
        return run(Trial.of(plans, source, CONTEXT).best().plan(), source);
    }

    /** The least that one index, or a scan of the collection, looks at. */
    private static long least(Page page, MemorySource source) {
        long least = Long.MAX_VALUE;
        List<RawDocument> hints = new ArrayList<>(List.of(doc("{$natural: 1}")));
        source.indexes()
                .forEach(index -> hints.add(RawDocument.of(
                        new BsonDocument("", new BsonString(index.definition().name())))));
        for (RawDocument hint : hints) {
            try {
                PlanNode plan = Planner.plan(
                        page.query().hinted(hint), source.indexes(), Optional.empty(), QueryLimits.DEFAULT);
                least = Math.min(least, run(plan, source).works);
            } catch (CommandException unusable) {
                continue;
            }
        }
        return least;
    }

    private static String written(Book book) {
        MemorySource source = book.source();
        StringBuilder text = new StringBuilder(String.join("\n", book.heading)).append('\n');
        for (Page page : book.pages) {
            Run run = chosen(page, source);
            text.append("\nwhen ")
                    .append(page.filter)
                    .append(" sort ")
                    .append(page.sort)
                    .append(" limit ")
                    .append(page.limit)
                    .append("\nworks ")
                    .append(run.works)
                    .append(" least ")
                    .append(least(page, source))
                    .append('\n');
            PlanPrinter.tree(run.plan)
                    .lines()
                    .forEach(line -> text.append("  ").append(line).append('\n'));
        }
        return text.toString();
    }

    @TestFactory
    Stream<DynamicTest> choosesAsThePagesSay() {
        return books().stream()
                .map(book -> DynamicTest.dynamicTest(book.name, () -> {
                    String now = written(book);
                    if (Boolean.getBoolean("plans.write")) {
                        Files.writeString(FOLDER.resolve(book.name), now, StandardCharsets.UTF_8);
                    } else {
                        assertThat(now).isEqualTo(book.text);
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> looksAtLittleMoreThanTheLeast() {
        return books().stream()
                .map(book -> DynamicTest.dynamicTest(book.name, () -> {
                    MemorySource source = book.source();
                    for (Page page : book.pages) {
                        Run run = chosen(page, source);
                        assertThat(run.works)
                                .as(() -> page + "\n" + PlanPrinter.tree(run.plan))
                                .isLessThanOrEqualTo(FACTOR * least(page, source));
                    }
                }));
    }

    @Test
    void thereAreEnoughPages() {
        assertThat(books().stream().mapToInt(book -> book.pages.size()).sum()).isGreaterThanOrEqualTo(PAGES_MIN);
    }
}
