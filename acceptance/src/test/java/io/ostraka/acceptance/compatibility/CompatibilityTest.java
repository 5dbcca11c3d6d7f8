package io.ostraka.acceptance.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import io.ostraka.acceptance.node.OneNode;
import io.ostraka.acceptance.support.SharedCluster;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.query.expression.ExpressionParser;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.pipeline.AccumulatorKind;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.query.update.UpdateParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/compatibility.md} says what the tables hold. Run with {@code -Dcompatibility.write=true} to write it anew.
 */
@ExtendWith(SharedCluster.class)
class CompatibilityTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "compatibility.md");

    @TempDir
    Path folder;

    @Test
    void theDocumentSaysWhatTheTablesHold(SharedCluster shared) throws IOException {
        String generated = generate(commands(shared.client()), memberCommands());
        if (Boolean.getBoolean("compatibility.write")) {
            Files.writeString(DOCUMENT, generated);
        }
        assertThat(Files.readString(DOCUMENT))
                .as("docs/compatibility.md is generated: run this test with -Dcompatibility.write=true")
                .isEqualTo(generated);
    }

    private TreeSet<String> memberCommands() {
        try (OneNode node = new OneNode(folder.resolve("data"));
                MongoClient client = node.client()) {
            return commands(client);
        }
    }

    private static TreeSet<String> commands(MongoClient client) {
        Document reply = client.getDatabase("admin").runCommand(new Document("listCommands", 1));
        TreeSet<String> names =
                new TreeSet<>(reply.get("commands", Document.class).keySet());
        names.removeIf(name -> name.startsWith("_"));
        return names;
    }

    private static String generate(TreeSet<String> router, TreeSet<String> member) throws IOException {
        Map<String, TreeSet<String>> documented = documented();
        StringBuilder text = new StringBuilder();
        text.append(
                        "# Compatibility\n\nGenerated from the tables of the programs by `CompatibilityTest`; do not edit. ")
                .append("What stands under *not yet* is documented for MongoDB 8.0 and answered with an error here.\n");
        TreeSet<String> commands = new TreeSet<>(router);
        commands.addAll(member);
        section(text, "Commands", commands, documented.get("commands"));
        text.append("\nOn a member alone and not through a router: ")
                .append(names(without(member, router)))
                .append("\n\nThrough a router alone: ")
                .append(names(without(router, member)))
                .append("\n");
        section(text, "Filter operators", FilterParser.names(), documented.get("filters"));
        section(text, "Update operators", UpdateParser.names(), documented.get("updates"));
        section(text, "Aggregation stages", Pipeline.names(), documented.get("stages"));
        section(text, "Accumulators", AccumulatorKind.names(), documented.get("accumulators"));
        text.append("\n## Window operators beside the accumulators\n\n")
                .append(names(Pipeline.windowOperators()))
                .append("\n");
        section(text, "Expressions", ExpressionParser.names(), documented.get("expressions"));
        errors(text);
        return text.toString();
    }

    private static void section(StringBuilder text, String title, Collection<String> here, TreeSet<String> documented) {
        text.append("\n## ").append(title).append("\n\n").append(names(here)).append("\n");
        TreeSet<String> missing = without(documented, here);
        if (!missing.isEmpty()) {
            text.append("\n*Not yet:* ").append(names(missing)).append("\n");
        }
    }

    private static void errors(StringBuilder text) {
        text.append("\n## Error codes\n\n| number | name |\n|---|---|\n");
        Arrays.stream(ErrorCode.values())
                .sorted(Comparator.comparing(ErrorCode::number))
                .forEach(code -> text.append("| ")
                        .append(code.number())
                        .append(" | ")
                        .append(code.codeName())
                        .append(" |\n"));
    }

    private static TreeSet<String> without(Collection<String> all, Collection<String> those) {
        TreeSet<String> left = new TreeSet<>(all);
        left.removeAll(those);
        return left;
    }

    private static String names(Collection<String> names) {
        List<String> quoted = new ArrayList<>();
        names.forEach(name -> quoted.add("`" + name + "`"));
        return String.join(" ", quoted);
    }

    /** Lists of names by kind: a line {@code kind:} and names below it. */
    private static Map<String, TreeSet<String>> documented() throws IOException {
        Map<String, TreeSet<String>> kinds = new LinkedHashMap<>();
        try (InputStream in = CompatibilityTest.class.getResourceAsStream("/mongodb-8.0-names.txt")) {
            TreeSet<String> kind = new TreeSet<>();
            for (String word : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\\s+")) {
                if (word.endsWith(":")) {
                    kind = new TreeSet<>();
                    kinds.put(word.substring(0, word.length() - 1), kind);
                } else {
                    kind.add(word);
                }
            }
        }
        return kinds;
    }
}
