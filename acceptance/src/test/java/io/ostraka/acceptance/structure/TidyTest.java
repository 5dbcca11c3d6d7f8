package io.ostraka.acceptance.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.server.options.OptionTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules about files. */
class TidyTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int LINES_MAX = 800;
    private static final int USUAL_LINES = 400;

    private static List<Path> sources() throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all.filter(path -> path.toString().endsWith(".java"))
                    .filter(path ->
                            !ROOT.relativize(path).toString().matches("(.*/)?(node_modules|target/generated.*)/.*"))
                    .toList();
        }
    }

    @Test
    void filesStaySmall() throws IOException {
        List<String> tooLong = new ArrayList<>();
        int overUsual = 0;
        List<Path> sources = sources();
        for (Path source : sources) {
            int lines = Files.readAllLines(source, StandardCharsets.UTF_8).size();
            if (lines > LINES_MAX) {
                tooLong.add(source + ": " + lines);
            }
            overUsual += lines > USUAL_LINES ? 1 : 0;
        }
        assertThat(sources).hasSizeGreaterThan(300);
        assertThat(tooLong).isEmpty();
        assertThat(overUsual * 10)
                .as("files over %d lines of %d", USUAL_LINES, sources.size())
                .isLessThan(sources.size());
    }

    @Test
    void everyPackageHasAPage() throws IOException {
        List<Path> without = new ArrayList<>();
        for (Path source : sources()) {
            boolean main = source.toString().contains("/src/main/java/");
            if (main && !Files.exists(source.resolveSibling("package-info.java"))) {
                without.add(source.getParent());
            }
        }
        assertThat(without.stream().distinct()).isEmpty();
    }

    @Test
    void nothingIsLeftForLater() throws IOException {
        List<String> found = new ArrayList<>();
        String later = "TO" + "DO|FIX" + "ME|@Dis" + "abled|@Ig" + "nore";
        for (Path source : sources()) {
            for (String line : Files.readAllLines(source, StandardCharsets.UTF_8)) {
                if (line.matches(".*\\b(" + later + ")\\b.*")) {
                    found.add(source + ": " + line.strip());
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void theOptionsPageIsTheTable() throws IOException {
        Path page = ROOT.resolve("docs/operations/options.md");
        String should =
                "# Options of mongod and mongos\n\nGenerated from `server/src/main/resources/io/ostraka/server/options/options.tsv`; "
                        + "the test `TidyTest` says when it is out of date, and writes the right page to `acceptance/target/options.md`.\n\n"
                        + OptionTable.markdown();
        Files.writeString(Path.of("target/options.md"), should, StandardCharsets.UTF_8);
        assertThat(Files.exists(page) ? Files.readString(page, StandardCharsets.UTF_8) : "")
                .isEqualTo(should);
    }

    @Test
    void linksInDocumentsLeadSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        try (Stream<Path> all = Files.walk(ROOT)) {
            for (Path page : all.filter(path -> path.toString().endsWith(".md"))
                    .filter(path -> !path.toString().contains("node_modules")
                            && !path.toString().contains("/target/"))
                    .toList()) {
                var links = java.util.regex.Pattern.compile("\\]\\(([^)#:]+)\\)")
                        .matcher(Files.readString(page, StandardCharsets.UTF_8));
                while (links.find()) {
                    if (!Files.exists(page.resolveSibling(links.group(1)))) {
                        broken.add(ROOT.relativize(page) + " → " + links.group(1));
                    }
                }
            }
        }
        assertThat(broken).isEmpty();
    }
}
