package io.ostraka.acceptance.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import io.ostraka.acceptance.node.OneNode;
import io.ostraka.acceptance.support.SharedCluster;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.pipeline.AccumulatorKind;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.query.update.UpdateParser;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Runs every page on one member and on three shards, and sees to it that every table entry has a page. */
@ExtendWith(SharedCluster.class)
class SpecTest {
    /** The commands on data; those of clusters and processes have tests of their own. */
    private static final Set<String> COMMANDS = Set.of(
            "aggregate",
            "bulkWrite",
            "collMod",
            "count",
            "create",
            "collStats",
            "createIndexes",
            "currentOp",
            "dbStats",
            "delete",
            "distinct",
            "drop",
            "dropDatabase",
            "dropIndexes",
            "explain",
            "find",
            "findAndModify",
            "getMore",
            "insert",
            "killCursors",
            "listCollections",
            "listDatabases",
            "listIndexes",
            "renameCollection",
            "serverStatus",
            "update");

    /** Stages about processes and clusters, which pages of data cannot show. */
    private static final Set<String> STAGES_ELSEWHERE = Set.of(
            "$changeStream",
            "$currentOp",
            "$indexStats",
            "$listLocalSessions",
            "$listSessions",
            "$shardedDataDistribution");

    @TempDir
    static Path folder;

    private static OneNode node;
    private static MongoClient client;

    @BeforeAll
    static void start() {
        node = new OneNode(folder.resolve("data"));
        client = node.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        node.close();
    }

    @TestFactory
    Stream<DynamicTest> onOneMember() {
        return SpecPage.all().stream()
                .map(page -> DynamicTest.dynamicTest(page.name(), () -> new SpecRun(page, client, false).run()));
    }

    @TestFactory
    Stream<DynamicTest> onThreeShards(SharedCluster shared) {
        return SpecPage.all().stream()
                .filter(SpecPage::everywhere)
                .map(page ->
                        DynamicTest.dynamicTest(page.name(), () -> new SpecRun(page, shared.client(), true).run()));
    }

    @Test
    void everyTableEntryHasAPage() {
        TreeSet<String> covered = new TreeSet<>();
        SpecPage.all().forEach(page -> covered.addAll(page.covers()));
        covered.addAll(STAGES_ELSEWHERE);
        for (Set<String> table : List.of(
                COMMANDS,
                new TreeSet<>(FilterParser.names()),
                new TreeSet<>(UpdateParser.names()),
                new TreeSet<>(AccumulatorKind.names()),
                new TreeSet<>(Pipeline.windowOperators()),
                new TreeSet<>(Pipeline.names()))) {
            assertThat(covered).containsAll(table);
        }
    }
}
