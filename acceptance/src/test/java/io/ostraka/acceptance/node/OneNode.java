package io.ostraka.acceptance.node;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.node.command.MemberRole;
import io.ostraka.node.command.MemberSections;
import io.ostraka.node.command.NodeCommands;
import io.ostraka.node.command.Transactional;
import io.ostraka.node.member.Member;
import io.ostraka.node.member.MemberSettings;
import io.ostraka.node.placement.PlacementGuard;
import io.ostraka.node.set.SetOpening;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.replication.ReplicationLimits;
import io.ostraka.storage.Stamp;
import io.ostraka.storage.StorageLimits;
import io.ostraka.storage.StorageResources;
import io.ostraka.wire.auth.UserDirectory;
import io.ostraka.wire.command.Admission;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.CommandTable;
import io.ostraka.wire.command.Dispatcher;
import io.ostraka.wire.command.Operations;
import io.ostraka.wire.command.SlowOperations;
import io.ostraka.wire.common.CommonCommands;
import io.ostraka.wire.common.FailPoints;
import io.ostraka.wire.common.Parameters;
import io.ostraka.wire.common.ProcessHooks;
import io.ostraka.wire.common.ProcessInfo;
import io.ostraka.wire.common.RecentLog;
import io.ostraka.wire.common.Topology;
import io.ostraka.wire.cursor.CursorRegistry;
import io.ostraka.wire.server.ServerLimits;
import io.ostraka.wire.server.WireServer;
import io.ostraka.wire.session.SessionEnds;
import io.ostraka.wire.session.Sessions;
import io.ostraka.wire.transport.Acceptor;
import io.ostraka.wire.transport.FrameBounds;
import io.ostraka.wire.transport.Sockets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;

/** One member behind a socket, without sharding: what drivers see of the module node. */
public final class OneNode implements AutoCloseable {
    private final StorageResources resources = StorageResources.open(StorageLimits.DEFAULT);
    private final Member member;
    private final WireServer server;
    private final int port;
    private volatile Dispatcher dispatcher;

    public OneNode(Path folder) {
        this(folder, 0);
    }

    /** @param wanted the port; 0 for any free one */
    public OneNode(Path folder, int wanted) {
        Clock clock = Clock.SYSTEM;
        Ids ids = Ids.system();
        Sockets sockets = new Sockets(FrameBounds.DEFAULT, clock);
        Acceptor acceptor = listen(sockets, wanted);
        port = acceptor.port();
        member = Member.open(
                new MemberSettings(
                        folder,
                        "0.1.0",
                        "rs0",
                        () -> "127.0.0.1:" + port,
                        resources,
                        ReplicationLimits.DEFAULT,
                        PlacementGuard.OPEN,
                        SetOpening.ALONE,
                        clock,
                        ids),
                () -> Stamp.fresh("0.1.0", new UUID(1, 1), new UUID(2, 2)));
        Operations operations = new Operations();
        CursorRegistry cursors = new CursorRegistry(CursorRegistry.Limits.DEFAULT, clock, ids);
        Sessions sessions = new Sessions(Sessions.DEFAULT_MAX, clock);
        SessionEnds ends = new SessionEnds(sessions, cursors, operations, member.transactions()::sessionEnded);
        SlowOperations slow = new SlowOperations(SlowOperations.DEFAULT_MILLIS);
        ProcessInfo process = new ProcessInfo(
                "127.0.0.1:" + port,
                "mongod",
                "0.1.0",
                "unknown",
                1,
                clock.nanos(),
                List.of("test"),
                new BsonDocument());
        CommonCommands.Parts common = new CommonCommands.Parts(
                process,
                new MemberRole(member),
                new Topology(ids.objectId()),
                clock,
                ids,
                operations,
                cursors,
                ends,
                _ -> {},
                slow,
                RecentLog.NONE,
                new NoHooks(),
                new Parameters(Parameters.common()),
                filter -> FilterCompiler.compile(FilterParser.parse(filter), member.context(() -> {}))::test,
                () -> dispatcher.table(),
                () -> dispatcher.counters(),
                Optional::empty,
                MemberSections.of(member));
        List<Command<?>> all = new ArrayList<>(CommonCommands.of(common));
        all.addAll(CommonCommands.ofOperations(common));
        all.addAll(NodeCommands.of(new NodeCommands.Parts(
                member,
                cursors,
                CommonCommands.currentOperations(common),
                process,
                Map.of("$listLocalSessions", (_, _, _, _) -> sessions.shown()))));
        FailPoints failPoints = new FailPoints();
        all.add(failPoints.command());
        dispatcher = new Dispatcher(
                CommandTable.of(Transactional.wrap(member, all)),
                UserDirectory.OPEN,
                member.clock(),
                clock,
                operations,
                slow,
                Admission.standard(),
                sessions);
        server = new WireServer(new WireServer.Parts(
                failPoints.before(dispatcher::run, dispatcher.table()),
                operations,
                cursors,
                Optional.empty(),
                clock,
                ids,
                ServerLimits.DEFAULT));
        server.everySecond(() -> member.transactions().expire(clock.nanos()));
        server.serve(acceptor);
    }

    private static Acceptor listen(Sockets sockets, int wanted) {
        try {
            return sockets.listen("127.0.0.1", wanted);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return port;
    }

    public Member member() {
        return member;
    }

    public MongoClient client() {
        return MongoClients.create("mongodb://127.0.0.1:" + port + "/?directConnection=true");
    }

    @Override
    public void close() {
        server.close();
        member.close();
        resources.close();
    }

    private static final class NoHooks implements ProcessHooks {
        @Override
        public void rotateLog() {}

        @Override
        public void shutdown(boolean force) {}
    }
}
