package io.ostraka.node.member;

import static io.ostraka.node.member.TestMember.USERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.command.Validation;
import io.ostraka.node.view.View;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.storage.Rows;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was acknowledged survives the end of the process, wherever it comes. */
@Timeout(120)
class CrashTest {
    private static final int ROUNDS = 3;
    private static final int ACKNOWLEDGED_BEFORE_KILL = 150;

    @TempDir
    Path folder;

    @Test
    void acknowledgedInsertsSurviveBeingKilledAndIndexesAgree() throws IOException, InterruptedException {
        Path data = folder.resolve("data");
        try (TestMember test = new TestMember(data)) {
            test.member()
                    .indexes()
                    .create(
                            USERS,
                            List.of(IndexDefinition.parse(TestMember.document("{key: {group: 1}, name: 'group_1'}"))),
                            test.operation());
        }
        Set<Integer> acknowledged = new HashSet<>();
        for (int round = 0; round < ROUNDS; round++) {
            acknowledged.addAll(writeUntilKilled(data, round * 10_000_000));
            try (TestMember test = new TestMember(data);
                    View view = test.member().view()) {
                CollectionEntry users = view.catalog().get(USERS);
                Map<Integer, Integer> groups = groups(view, users);
                assertThat(groups.keySet()).containsAll(acknowledged);
                assertThat(groups.values()).as("a batch is there as a whole").allMatch(size -> size == 7);
                Validation found =
                        new Validation(view, users, test.member().parts().indexer(), test.operation()).run();
                assertThat(found.errors()).isEmpty();
            }
        }
    }

    private static Map<Integer, Integer> groups(View view, CollectionEntry users) {
        Map<Integer, Integer> groups = new TreeMap<>();
        try (Rows rows = view.records(users)) {
            for (boolean on = rows.first(); on; on = rows.next()) {
                groups.merge(RawDocument.of(rows.value()).find("group").int32(), 1, Integer::sum);
            }
        }
        return groups;
    }

    private static Set<Integer> writeUntilKilled(Path data, int first) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "--enable-native-access=ALL-UNNAMED",
                        CrashWriter.class.getName(),
                        data.toString(),
                        Integer.toString(first))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Set<Integer> acknowledged = new HashSet<>();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            while (line != null) {
                acknowledged.add(Integer.parseInt(line));
                if (acknowledged.size() == ACKNOWLEDGED_BEFORE_KILL) {
                    // By its handle: the process itself would close the stream we still read.
                    assertThat(process.toHandle().destroyForcibly()).isTrue();
                }
                line = lines.readLine();
            }
        }
        assertThat(process.waitFor()).as("it did not end by itself").isNotZero();
        assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(ACKNOWLEDGED_BEFORE_KILL);
        return acknowledged;
    }
}
