package io.ostraka.node.command;

import io.ostraka.node.member.Member;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.common.CurrentOperations;
import io.ostraka.wire.common.ProcessInfo;
import io.ostraka.wire.cursor.CursorRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonBoolean;

/** The table of a member's commands. */
public final class NodeCommands {
    /**
     * What they work on.
     *
     * @param current what runs now, for {@code $currentOp}
     * @param stages further first stages of pipelines, by name
     */
    public record Parts(
            Member member,
            CursorRegistry cursors,
            CurrentOperations current,
            ProcessInfo process,
            Map<String, OutsideStage> stages) {
        Parts on(Member other) {
            return new Parts(other, cursors, current, process, stages);
        }
    }

    private NodeCommands() {}

    /** All of them, beside those every process has. */
    public static List<Command<?>> of(Parts parts) {
        Member member = parts.member();
        LocalCommands local = new LocalCommands(member, of -> documents(parts.on(of)));
        List<Command<?>> all = new ArrayList<>();
        for (Command<?> each : documents(parts)) {
            all.add(new ByDatabase(StateGate.of(each, member), local));
        }
        new TransactionCommands(member).all().forEach(each -> all.add(StateGate.of(each, member)));
        member.transactions().whenEnded(parts.cursors()::killTransaction);
        all.addAll(new ReplicaSetCommands(member).all());
        return List.copyOf(all);
    }

    /** Those about documents, collections and databases of one member's store. */
    private static List<Command<?>> documents(Parts parts) {
        Member member = parts.member();
        Explaining explaining = new Explaining(member, parts.process());
        InsertCommand insert = new InsertCommand(member);
        UpdateCommand update = new UpdateCommand(member);
        DeleteCommand delete = new DeleteCommand(member);
        PipelineOutput output = new PipelineOutput(member, insert, update);
        AggregateCommand aggregate = new AggregateCommand(member, parts.cursors(), stages(parts), explaining, output);
        List<Command<?>> all = new ArrayList<>(new PlanCacheCommands(member).all());
        all.addAll(List.of(
                aggregate,
                new BulkWriteCommand(insert, update, delete, parts.cursors()),
                new CollModCommand(member),
                new CompactCommand(member),
                new DbHashCommand(member),
                new CollStatsCommand(member),
                new CountCommand(member, aggregate),
                new CreateCommand(member),
                new CreateIndexesCommand(member),
                new DataSizeCommand(member),
                new DbStatsCommand(member),
                delete,
                new DistinctCommand(member, aggregate),
                new DropCommand(member),
                new DropDatabaseCommand(member),
                new DropIndexesCommand(member),
                new ExplainCommand(explaining, aggregate),
                new FindAndModifyCommand(member),
                new FindCommand(member, parts.cursors(), aggregate),
                insert,
                new ListCollectionsCommand(member, parts.cursors()),
                new ListDatabasesCommand(member),
                new ListIndexesCommand(member, parts.cursors()),
                new RenameCollectionCommand(member),
                new SplitVectorCommand(member),
                update,
                new ValidateCommand(member)));
        return all;
    }

    private static Map<String, OutsideStage> stages(Parts parts) {
        Map<String, OutsideStage> stages = new HashMap<>(parts.stages());
        IndexStats indexes = new IndexStats(parts.member());
        stages.put("$indexStats", (opened, _, options, _) -> indexes.stage(opened, options));
        PlanCacheCommands plans = new PlanCacheCommands(parts.member());
        stages.put("$planCacheStats", (opened, _, options, _) -> plans.stage(opened, options));
        stages.put("$collStats", new CollectionStats(parts.member())::stage);
        stages.put(
                "$currentOp",
                (_, _, options, _) -> parts.current()
                        .documents(options.getBoolean("idleConnections", BsonBoolean.FALSE)
                                .getValue()));
        return stages;
    }
}
