package io.ostraka.wire.common;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.CommandTable;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.OpCounters;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.command.Operations;
import io.ostraka.wire.command.SlowOperations;
import io.ostraka.wire.cursor.CursorRegistry;
import io.ostraka.wire.cursor.GetMoreCommand;
import io.ostraka.wire.cursor.KillCursorsCommand;
import io.ostraka.wire.server.WireServer;
import io.ostraka.wire.session.SessionEnds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/** Makes the commands every process has, out of what the process is made of. */
public final class CommonCommands {
    /**
     * What they work on.
     *
     * @param sessionsKilled told of each kill command that was carried out here, to pass it on
     * @param filters compiles a query, for {@code currentOp}
     * @param parameters the process's table of parameters
     * @param table the finished table, for {@code listCommands}
     * @param counters the dispatcher's
     * @param server the server, once there is one
     * @param sections sections of {@code serverStatus} beside the common ones, by name
     */
    public record Parts(
            ProcessInfo process,
            Role role,
            Topology topology,
            Clock clock,
            Ids ids,
            Operations operations,
            CursorRegistry cursors,
            SessionEnds sessions,
            Consumer<Operation> sessionsKilled,
            SlowOperations slow,
            RecentLog log,
            ProcessHooks hooks,
            Parameters parameters,
            Function<RawDocument, Predicate<RawDocument>> filters,
            Supplier<CommandTable> table,
            Supplier<OpCounters> counters,
            Supplier<Optional<WireServer>> server,
            Map<String, Supplier<? extends BsonValue>> sections) {}

    private CommonCommands() {}

    /** All of them. {@code currentOp}, {@code killOp} and {@code top} are {@link #ofOperations}, since a router has its own. */
    public static List<Command<?>> of(Parts parts) {
        List<Command<?>> all = new ArrayList<>();
        all.add(new HelloCommand(
                false, parts.role(), parts.topology(), parts.sessions().sessions(), parts.clock()));
        all.add(new HelloCommand(
                true, parts.role(), parts.topology(), parts.sessions().sessions(), parts.clock()));
        all.add(new GetMoreCommand(parts.cursors()));
        all.add(new KillCursorsCommand(parts.cursors()));
        all.add(new ServerStatusCommand(parts.process(), parts.clock(), sections(parts)));
        all.addAll(new ParameterCommands(parts.parameters().with(new LogVerbosity(parts.hooks()).parameters())).all());
        all.addAll(new SessionCommands(parts.sessions(), parts.sessionsKilled(), parts.ids()).all());
        all.addAll(new AboutCommands(
                        parts.process(), parts.clock(), parts.log(), parts.hooks(), parts.slow(), parts.table())
                .all());
        return List.copyOf(all);
    }

    /** {@code currentOp} and {@code killOp} of this process alone, and {@code top}, which a router does not have. */
    public static List<Command<?>> ofOperations(Parts parts) {
        List<Command<?>> all = new ArrayList<>(
                new OperationCommands(currentOperations(parts), parts.operations(), parts.filters()).all());
        all.add(new Small(
                "top",
                Needs.admin("top", Needs.Kind.STATELESS),
                (_, _) -> parts.counters().get().usage().toBson()));
        return List.copyOf(all);
    }

    /** What runs here now, for {@code $currentOp}. */
    public static CurrentOperations currentOperations(Parts parts) {
        return new CurrentOperations(parts.process(), parts.operations(), parts.server(), parts.clock());
    }

    private static Map<String, Supplier<? extends BsonValue>> sections(Parts parts) {
        Map<String, Supplier<? extends BsonValue>> sections = new LinkedHashMap<>();
        sections.put(
                "connections",
                () -> parts.server()
                        .get()
                        .map(server -> server.counters().connections())
                        .orElseGet(BsonDocument::new));
        sections.put(
                "network",
                () -> parts.server()
                        .get()
                        .map(server -> server.counters().network())
                        .orElseGet(BsonDocument::new));
        sections.put("opcounters", () -> parts.counters().get().toBson());
        sections.put("mem", ServerStatusCommand::memory);
        sections.put(
                "logicalSessionRecordCache",
                () -> new BsonDocument(
                        "activeSessionsCount",
                        new BsonInt64(parts.sessions().sessions().size())));
        sections.put(
                "metrics",
                () -> new BsonDocument(
                        "cursor",
                        new BsonDocument(
                                "open",
                                new BsonDocument(
                                        "total", new BsonInt64(parts.cursors().count())))));
        sections.put("ostraka", () -> ServerStatusCommand.ostraka(parts.process()));
        sections.putAll(parts.sections());
        return sections;
    }
}
