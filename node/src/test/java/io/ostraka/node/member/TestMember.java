package io.ostraka.node.member;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.node.placement.PlacementGuard;
import io.ostraka.node.set.SetOpening;
import io.ostraka.replication.ReplicationLimits;
import io.ostraka.storage.Stamp;
import io.ostraka.storage.StorageLimits;
import io.ostraka.storage.StorageResources;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.bson.BsonDocument;

/** A member in a folder of a test, opened and closed as often as it likes. */
public final class TestMember implements AutoCloseable {
    public static final Namespace USERS = new Namespace("test", "users");

    private final Path folder;
    private final StorageResources resources = StorageResources.open(StorageLimits.DEFAULT);
    private Member member;

    public TestMember(Path folder) {
        this.folder = folder;
        member = open();
    }

    private Member open() {
        MemberSettings settings = new MemberSettings(
                folder,
                "0.1.0",
                "rs",
                () -> "localhost:27017",
                resources,
                ReplicationLimits.DEFAULT,
                PlacementGuard.OPEN,
                SetOpening.ALONE,
                Clock.SYSTEM,
                Ids.system());
        return Member.open(settings, () -> Stamp.fresh("0.1.0", new UUID(1, 1), new UUID(2, 2)));
    }

    public Member member() {
        return member;
    }

    public void reopen() {
        member.close();
        member = open();
    }

    public Operation operation() {
        return member.internal("test", Deadline.in(Clock.SYSTEM, 30_000));
    }

    public static RawDocument document(String json) {
        return RawDocument.of(BsonDocument.parse(json));
    }

    public io.ostraka.node.write.Inserter.Outcome insert(Namespace namespace, String... documents) {
        List<RawDocument> parsed =
                java.util.Arrays.stream(documents).map(TestMember::document).toList();
        return member.inserter().insert(namespace, parsed, true, operation());
    }

    @Override
    public void close() {
        member.close();
        resources.close();
    }
}
