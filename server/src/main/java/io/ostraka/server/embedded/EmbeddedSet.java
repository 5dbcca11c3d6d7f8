package io.ostraka.server.embedded;

import io.ostraka.core.time.Clock;
import io.ostraka.node.set.MemberState;
import io.ostraka.node.set.ReplicaSet;
import io.ostraka.node.set.SetConfig;
import io.ostraka.server.process.MemberProcess;
import io.ostraka.server.process.StartRefused;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.bson.BsonDocument;

/** The members of one replica set in this JVM: initiated when they are new, found again when they are not. */
final class EmbeddedSet {
    private final String name;
    private final List<MemberProcess> members;
    private final Clock clock;
    private final long millis;

    private EmbeddedSet(String name, List<MemberProcess> members, Clock clock, long millis) {
        this.name = name;
        this.members = List.copyOf(members);
        this.clock = clock;
        this.millis = millis;
    }

    /**
     * Makes one set of members that are open; it has a primary when this returns.
     *
     * @param millis within which it must have one
     */
    static EmbeddedSet of(String name, List<MemberProcess> members, Clock clock, long millis) {
        EmbeddedSet set = new EmbeddedSet(name, members, clock, millis);
        set.begin();
        return set;
    }

    private void begin() {
        Map<UUID, String> addresses = new HashMap<>();
        members.forEach(member -> addresses.put(member.member().stamp().memberId(), member.address()));
        members.forEach(member -> member.member().set().moved(addresses));
        ReplicaSet first = members.getFirst().member().set();
        if (first.state() == MemberState.STARTUP) {
            List<SetConfig.Member> all = new ArrayList<>();
            for (int i = 0; i < members.size(); i++) {
                all.add(member(i));
            }
            first.changes()
                    .initiate(
                            Optional.of(new SetConfig(name, 1, 0, all, new BsonDocument())),
                            operation("replSetInitiate"));
        }
        MemberProcess primary = awaitPrimary();
        for (int i = 0; i < members.size(); i++) {
            if (members.get(i).member().set().state() == MemberState.STARTUP) {
                add(primary.member().set(), member(i));
            }
        }
    }

    private SetConfig.Member member(int number) {
        return new SetConfig.Member(number, members.get(number).address(), 1, true, false, new BsonDocument());
    }

    private void add(ReplicaSet primary, SetConfig.Member added) {
        SetConfig config = primary.config().orElseThrow();
        List<SetConfig.Member> all = new ArrayList<>(config.members());
        all.removeIf(there -> there.id() == added.id());
        all.add(added);
        primary.changes()
                .reconfigure(
                        config.withMembers(all).with(config.version() + 1, config.term()),
                        false,
                        operation("replSetReconfig"));
    }

    private Operation operation(String what) {
        return Operation.ofProcess(what, "admin", Deadline.in(clock, millis));
    }

    private MemberProcess awaitPrimary() {
        CompletableFuture<MemberProcess> found = new CompletableFuture<>();
        for (MemberProcess member : members) {
            member.member().set().group().watch(() -> {
                if (member.member().isLeader()) {
                    found.complete(member);
                }
            });
        }
        try {
            return found.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new StartRefused(
                    "The replica set " + name + " found no primary within " + millis / 1000 + " seconds.");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StartRefused("The start was interrupted.");
        } catch (java.util.concurrent.ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    List<MemberProcess> members() {
        return members;
    }

    /** {@code set/host:port,host:port}. */
    String connectionString() {
        return name + "/"
                + String.join(",", members.stream().map(MemberProcess::address).toList());
    }
}
