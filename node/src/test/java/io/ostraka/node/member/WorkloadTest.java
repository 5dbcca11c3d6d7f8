package io.ostraka.node.member;

import static io.ostraka.node.member.TestMember.USERS;
import static io.ostraka.node.member.TestMember.document;
import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.command.Validation;
import io.ostraka.node.view.Selection;
import io.ostraka.node.view.View;
import io.ostraka.node.write.Edit;
import io.ostraka.node.write.Editor;
import io.ostraka.query.execute.Execution;
import io.ostraka.query.execute.Row;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.query.update.UpdateContext;
import io.ostraka.query.update.UpdateParser;
import io.ostraka.query.update.Updater;
import io.ostraka.wire.command.Operation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Random writes: against a model by one writer, and by many at once with what must hold in any order. */
@Timeout(120)
class WorkloadTest {
    private static final long SEED = Long.getLong("seed", 20261130L);

    @TempDir
    Path folder;

    private static void indexes(TestMember test) {
        test.member()
                .indexes()
                .create(
                        USERS,
                        List.of(
                                IndexDefinition.parse(document("{key: {a: 1}, name: 'a_1'}")),
                                IndexDefinition.parse(
                                        document("{key: {u: 1}, name: 'u_1', unique: true, sparse: true}")),
                                IndexDefinition.parse(document("{key: {tags: 1, a: -1}, name: 'tags_1_a_-1'}"))),
                        test.operation());
    }

    private static Selection selection(TestMember test, String filter, Operation operation) {
        return Selection.of(
                FindQuery.of(FilterParser.parse(document(filter))),
                test.member().context(operation::checkAlive));
    }

    private static Edit edit(TestMember test, Selection selection, String update) {
        Updater updater = Updater.of(
                UpdateParser.parse(document(update), List.of()),
                selection.query().filter(),
                new UpdateContext(selection.context(), test.member().settings().ids()::objectId));
        return before -> Optional.of(updater.apply(before).orElse(before));
    }

    private static Map<Integer, RawDocument> all(TestMember test) {
        Map<Integer, RawDocument> found = new TreeMap<>();
        Operation operation = test.operation();
        Selection selection = selection(test, "{}", operation);
        try (View view = test.member().view();
                Execution execution = selection.open(view, view.catalog().get(USERS))) {
            for (Row row = execution.next(); row != null; row = execution.next()) {
                found.put(row.document().find("_id").int32(), row.document());
            }
        }
        return found;
    }

    private static void validate(TestMember test) {
        try (View view = test.member().view()) {
            CollectionEntry users = view.catalog().get(USERS);
            Validation found = new Validation(view, users, test.member().parts().indexer(), test.operation()).run();
            assertThat(found.errors()).isEmpty();
        }
    }

    @Test
    void oneWriterAgreesWithTheModel() {
        Random random = new Random(SEED);
        Map<Integer, RawDocument> model = new TreeMap<>();
        try (TestMember test = new TestMember(folder.resolve("data"))) {
            indexes(test);
            for (int step = 0; step < 1500; step++) {
                int id = random.nextInt(60);
                switch (random.nextInt(5)) {
                    case 0, 1 -> insert(test, model, id, random);
                    case 2 -> update(test, model, id, random);
                    case 3 -> delete(test, model, id);
                    default -> {
                        if (random.nextInt(100) == 0) {
                            test.reopen();
                        }
                    }
                }
            }
            assertThat(all(test)).as("seed %d", SEED).isEqualTo(model);
            validate(test);
            test.reopen();
            assertThat(all(test)).as("seed %d, reopened", SEED).isEqualTo(model);
            validate(test);
        }
    }

    private static void insert(TestMember test, Map<Integer, RawDocument> model, int id, Random random) {
        String unique = random.nextBoolean() ? ", u: " + random.nextInt(40) : "";
        String json = "{_id: " + id + ", a: " + random.nextInt(5) + unique + ", tags: [" + random.nextInt(3) + ", "
                + random.nextInt(3) + "]}";
        RawDocument document = document(json);
        boolean free = !model.containsKey(id) && isFree(model, document, id);
        assertThat(test.insert(USERS, json).inserted())
                .as("seed %d, %s", SEED, json)
                .isEqualTo(free ? 1 : 0);
        if (free) {
            model.put(id, document);
        }
    }

    private static boolean isFree(Map<Integer, RawDocument> model, RawDocument document, int own) {
        return document.get("u") == null
                || model.entrySet().stream()
                        .noneMatch(each -> each.getKey() != own
                                && document.get("u").equals(each.getValue().get("u")));
    }

    private static void update(TestMember test, Map<Integer, RawDocument> model, int id, Random random) {
        Operation operation = test.operation();
        int unique = random.nextInt(40);
        Selection selection = selection(test, "{_id: " + id + "}", operation);
        Edit edit = edit(test, selection, "{$set: {u: " + unique + "}, $inc: {a: 1}}");
        RawDocument before = model.get(id);
        RawDocument after = before == null ? null : edit.apply(before).orElseThrow();
        boolean free = after == null || isFree(model, after, id);
        try {
            Editor.Outcome outcome = test.member().editor().one(USERS, selection, edit, Optional.empty(), operation);
            assertThat(free).as("seed %d, id %d", SEED, id).isTrue();
            assertThat(outcome.modified()).isEqualTo(before == null ? 0 : 1);
            if (after != null) {
                model.put(id, after);
            }
        } catch (CommandException duplicate) {
            assertThat(duplicate.code()).isEqualTo(ErrorCode.DUPLICATE_KEY);
            assertThat(free).as("seed %d, id %d", SEED, id).isFalse();
        }
    }

    private static void delete(TestMember test, Map<Integer, RawDocument> model, int id) {
        Operation operation = test.operation();
        Selection selection = selection(test, "{_id: " + id + "}", operation);
        long deleted = test.member()
                .editor()
                .one(USERS, selection, Edit.DELETE, Optional.empty(), operation)
                .modified();
        assertThat(deleted).isEqualTo(model.remove(id) == null ? 0 : 1);
    }

    @Test
    void manyWritersLoseNoIncrementAndLeaveIndexesThatAgree() throws InterruptedException {
        try (TestMember test = new TestMember(folder.resolve("data"))) {
            for (int id = 0; id < 10; id++) {
                test.insert(USERS, "{_id: " + id + ", a: 0, tags: []}");
            }
            AtomicLong increments = new AtomicLong();
            List<Thread> writers = new ArrayList<>();
            List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
            for (int writer = 0; writer < 16; writer++) {
                Random random = new Random(SEED + writer);
                writers.add(Thread.startVirtualThread(() -> {
                    try {
                        for (int step = 0; step < 40; step++) {
                            increments.addAndGet(increment(test, random));
                        }
                    } catch (RuntimeException | Error e) {
                        failures.add(e);
                    }
                }));
            }
            indexes(test); // built while they write
            for (Thread writer : writers) {
                writer.join();
            }
            assertThat(failures).as("seed %d", SEED).isEmpty();
            long sum = all(test).values().stream()
                    .mapToLong(each -> each.find("a").int32())
                    .sum();
            assertThat(sum).isEqualTo(increments.get());
            validate(test);
        }
    }

    private static long increment(TestMember test, Random random) {
        Operation operation = test.operation();
        boolean many = random.nextInt(4) == 0;
        Selection selection = selection(
                test,
                many ? "{_id: {$gte: " + random.nextInt(10) + "}}" : "{_id: " + random.nextInt(10) + "}",
                operation);
        Edit edit = edit(test, selection, "{$inc: {a: 1}, $addToSet: {tags: " + random.nextInt(4) + "}}");
        return many
                ? test.member().editor().many(USERS, selection, edit, operation).modified()
                : test.member()
                        .editor()
                        .one(USERS, selection, edit, Optional.empty(), operation)
                        .modified();
    }
}
