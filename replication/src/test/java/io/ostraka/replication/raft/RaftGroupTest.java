package io.ostraka.replication.raft;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.replication.Fate;
import io.ostraka.replication.Leadership;
import io.ostraka.replication.LogPosition;
import io.ostraka.replication.ReplicationLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RaftGroupTest {
    private static final UUID INCARNATION = new UUID(7, 7);
    /** Longer than a busy machine keeps a thread waiting: who leads, leads until a test ends it. */
    private static final RaftTimes TIMES = new RaftTimes(3_000, 6_000, 50, 150, 10_000, 8_000);

    private static final long PATIENCE_SECONDS = 60;

    /** One member with its files. */
    private final class Node {
        final UUID id;
        final Path folder;
        FileState state;
        RaftGroup group;

        Node(int number) {
            id = new UUID(1, number);
            folder = temporary.resolve("member" + number);
            assertThat(folder.toFile().mkdirs()).isTrue();
            state = new FileState(folder);
        }

        RaftMember member() {
            return new RaftMember(id, id.toString(), 1, true);
        }

        RaftGroup.Settings settings() {
            RaftTransport transport = (member, _, request, _) -> call(id, member, request);
            return new RaftGroup.Settings(
                    "test" + id.getLeastSignificantBits(),
                    id,
                    folder.resolve("raft"),
                    state,
                    () -> new byte[0],
                    transport,
                    ReplicationLimits.DEFAULT,
                    TIMES,
                    new RaftLimits(1_000_000, 1L << 40, kept, 4 << 20),
                    Clock.SYSTEM,
                    Ids.system());
        }

        void create(List<RaftMember> members) {
            group = RaftGroup.create(settings(), INCARNATION, members);
            watch();
        }

        /** As after a kill: what the state has not written is lost, and comes from the log. */
        void reopen() {
            state = new FileState(folder);
            group = RaftGroup.reopen(settings(), INCARNATION);
            watch();
        }

        private void watch() {
            nodes.put(id, this);
            group.watch(RaftGroupTest.this::wake);
        }

        void stop() {
            nodes.remove(id);
            group.close();
        }
    }

    @TempDir
    Path temporary;

    private final Map<UUID, Node> nodes = new ConcurrentHashMap<>();
    private int kept = 10_000;
    private final Set<UUID> cut = ConcurrentHashMap.newKeySet();

    private byte[] call(UUID from, UUID to, byte[] request) throws IOException {
        Node there = nodes.get(to);
        if (there == null || cut.contains(from) || cut.contains(to)) {
            throw new IOException("unreachable");
        }
        return there.group.answer(request);
    }

    private synchronized void wake() {
        notifyAll();
    }

    /** Waits for something that changes when a group tells, or when the given pause is over. */
    private synchronized void until(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            wait(20);
        }
    }

    private Node leader(List<Node> among) throws InterruptedException {
        until(() -> among.stream().anyMatch(node -> node.group.leadership().isPresent()));
        return among.stream()
                .filter(node -> node.group.leadership().isPresent())
                .findFirst()
                .orElseThrow();
    }

    private static Leadership leadership(Node node) {
        return node.group.leadership().orElseThrow();
    }

    private static void write(Node leader, String text) throws Exception {
        assertThat(leader.group
                        .propose(leadership(leader), text.getBytes(UTF_8))
                        .get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(Fate.Applied.class);
    }

    private List<Node> three() throws InterruptedException {
        List<Node> all = List.of(new Node(1), new Node(2), new Node(3));
        List<RaftMember> members = all.stream().map(Node::member).toList();
        all.forEach(node -> node.create(members));
        return all;
    }

    @AfterEach
    void stopAll() {
        nodes.values().forEach(node -> node.group.close());
    }

    @Test
    void whatIsAppliedOnTheLeaderIsAppliedEverywhere() throws Exception {
        List<Node> all = three();
        Node leader = leader(all);
        List<CompletableFuture<Fate>> fates = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            texts.add("write " + i);
            fates.add(leader.group.propose(leadership(leader), texts.getLast().getBytes(UTF_8)));
        }
        for (CompletableFuture<Fate> fate : fates) {
            assertThat(fate.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isInstanceOf(Fate.Applied.class);
        }
        until(() -> all.stream().allMatch(node -> node.state.texts().size() == 1000));
        all.forEach(node -> assertThat(node.state.texts()).isEqualTo(texts));
    }

    @Test
    void aLargeProposalComesInPartsAndWhole() throws Exception {
        List<Node> all = three();
        String large = "x".repeat(5 << 20);
        write(leader(all), large);
        until(() -> all.stream().allMatch(node -> node.state.texts().equals(List.of(large))));
    }

    @Test
    void whenTheLeaderStopsAnotherLeadsAndNothingIsLost() throws Exception {
        List<Node> all = three();
        Node first = leader(all);
        write(first, "before");
        CountDownLatch over = new CountDownLatch(1);
        leadership(first).whenOver(over::countDown);
        first.stop();
        assertThat(over.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        List<Node> rest = all.stream().filter(node -> node != first).toList();
        Node second = leader(rest);
        write(second, "after");
        first.reopen();
        until(() -> first.state.texts().equals(List.of("before", "after")));
        assertThat(leadership(second).term()).isGreaterThan(1);
    }

    @Test
    void whatALeaderThatIsCutOffProposesIsVoid() throws Exception {
        List<Node> all = three();
        Node first = leader(all);
        write(first, "before");
        cut.add(first.id);
        CompletableFuture<Fate> lost = first.group.propose(leadership(first), "lost".getBytes(UTF_8));
        Node second = leader(all.stream().filter(node -> node != first).toList());
        write(second, "after");
        until(() -> first.group.leadership().isEmpty());
        assertThat(lost)
                .as("it may still be in the log of a majority, for all this member knows")
                .isNotDone();
        cut.clear();
        assertThat(lost.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(new Fate.Void());
        until(() -> first.state.texts().equals(List.of("before", "after")));
    }

    @Test
    void aGroupOfOneGrowsWhileItServes() throws Exception {
        Node first = new Node(1);
        first.create(List.of(first.member()));
        leader(List.of(first));
        for (int i = 0; i < 100; i++) {
            write(first, "write " + i);
        }
        Node second = new Node(2);
        second.create(List.of());
        first.group.setMembers(List.of(first.member(), second.member())).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        Node third = new Node(3);
        third.create(List.of());
        first.group
                .setMembers(List.of(first.member(), second.member(), third.member()))
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        write(first, "last");
        until(() -> third.state.texts().size() == 101);
        assertThat(third.state.texts()).isEqualTo(first.state.texts());
        assertThat(third.group.members()).hasSize(3);
        first.group
                .transfer(Optional.of(third.id), 5000)
                .handle((_, _) -> null)
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        first.stop();
        write(leader(List.of(second, third)), "without the first");
    }

    @Test
    void aStateThatHadNoLogIsTheFirstCheckpoint() throws Exception {
        Node first = new Node(1);
        first.state.moveTo(new LogPosition(new UUID(3, 3), 4, 10_000));
        first.state.apply(List.of(new io.ostraka.replication.LogEntry(
                new LogPosition(new UUID(3, 3), 4, 10_001), 4, "of old".getBytes(UTF_8))));
        first.state.moveTo(RaftGroup.firstPosition(INCARNATION));
        first.create(List.of(first.member()));
        write(leader(List.of(first)), "first of the new log");
        Node second = new Node(2);
        second.create(List.of());
        first.group.setMembers(List.of(first.member(), second.member())).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        until(() -> second.state.texts().equals(List.of("of old", "first of the new log")));
    }

    @Test
    void aMemberFarBehindIsFilledByACheckpoint() throws Exception {
        kept = 0;
        assertThat(restoresOfAMemberThatWasAway()).isEqualTo(1);
    }

    @Test
    void aMemberWhoseEntriesAreStillThereReplaysThem() throws Exception {
        assertThat(restoresOfAMemberThatWasAway()).isZero();
    }

    private int restoresOfAMemberThatWasAway() throws Exception {
        List<Node> all = three();
        Node leader = leader(all);
        Node away = all.stream().filter(node -> node != leader).findFirst().orElseThrow();
        away.stop();
        for (int i = 0; i < 50; i++) {
            List<CompletableFuture<Fate>> fates = new ArrayList<>();
            for (int j = 0; j < 20; j++) {
                fates.add(leader.group.propose(leadership(leader), ("x".repeat(60_000) + i + "," + j).getBytes(UTF_8)));
            }
            for (CompletableFuture<Fate> fate : fates) {
                assertThat(fate.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isInstanceOf(Fate.Applied.class);
            }
        }
        leader.group.save().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        away.reopen();
        until(() -> away.state.texts().size() == 1000);
        assertThat(away.state.texts()).isEqualTo(leader.state.texts());
        return away.state.restores();
    }

    @Test
    void aReopenedMemberSkipsWhatItsStateHolds() throws Exception {
        Node only = new Node(1);
        only.create(List.of(only.member()));
        write(leader(List.of(only)), "one");
        write(only, "two");
        only.state.write();
        write(only, "three");
        only.stop();
        only.reopen();
        leader(List.of(only));
        assertThat(only.state.texts()).isEqualTo(List.of("one", "two", "three"));
    }

    /** A flipped byte in the log is found at the start. */
    @Test
    void aDamagedLogIsFoundAtTheStart() throws Exception {
        Node only = new Node(1);
        only.create(List.of(only.member()));
        write(leader(List.of(only)), "one");
        write(only, "two");
        only.stop();
        Path file;
        try (Stream<Path> all = Files.walk(only.folder)) {
            file = all.filter(each -> each.getFileName().toString().startsWith("log_"))
                    .filter(Files::isRegularFile)
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[Math.min(60, bytes.length / 2)] ^= 0x10;
        Files.write(file, bytes);
        assertThatThrownBy(only::reopen)
                .isInstanceOf(RaftFailure.class)
                .hasMessageContaining("checksum")
                .hasMessageContaining(only.folder.toString());
        nodes.remove(only.id);
    }

    /** One digit less in the file of term and vote would be a second vote in a term. */
    @Test
    void aDamagedVoteIsFoundAtTheStart() throws Exception {
        List<Node> all = List.of(new Node(1), new Node(2), new Node(3));
        for (Node node : all) {
            node.create(all.stream().map(Node::member).toList());
        }
        Node leader = leader(all);
        write(leader, "one");
        leader.stop();
        Path meta = file(leader, "raft-meta");
        String kept = Files.readString(meta);
        long term = leaderTerm(kept);
        Files.writeString(meta, kept.replace("term=" + term, "term=" + (term - 1)));
        assertDamaged(leader, "raft-meta");
        Files.writeString(
                meta, kept.replace(leader.id.toString(), UUID.randomUUID().toString()));
        assertDamaged(leader, "raft-meta");
        Files.writeString(meta, kept);
        Path votes = file(leader, "votes");
        byte[] bytes = Files.readAllBytes(votes);
        bytes[40] ^= 1;
        Files.write(votes, bytes);
        assertDamaged(leader, "votes");
        bytes[40] ^= 1;
        Files.write(votes, bytes);
        leader.reopen();
        write(leader(all), "two");
    }

    private static long leaderTerm(String kept) {
        return kept.lines()
                .filter(line -> line.startsWith("term="))
                .mapToLong(line -> Long.parseLong(line.substring(5)))
                .findFirst()
                .orElseThrow();
    }

    private static Path file(Node node, String name) throws IOException {
        try (Stream<Path> all = Files.walk(node.folder)) {
            return all.filter(each -> each.getFileName().toString().equals(name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void assertDamaged(Node node, String file) {
        assertThatThrownBy(node::reopen)
                .isInstanceOf(RaftFailure.class)
                .hasMessageContaining("checksum")
                .hasMessageContaining(file);
    }
}
