package io.ostraka.router.command;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.ShardId;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.query.pipeline.Stage;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.target.Target;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.common.ProcessInfo;
import io.ostraka.wire.request.ExplainRequest;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Puts shards' explanations together in the shapes a router answers with. */
final class ExplainReply {
    /** What is explained, as far as the router's own stage depends on it. */
    enum Kind {
        READ,
        SORTED,
        WRITE
    }

    private final ClusterServices services;
    private final ProcessInfo process;

    ExplainReply(ClusterServices services, ProcessInfo process) {
        this.services = services;
        this.process = process;
    }

    RawDocument command(
            Kind kind, Target target, List<RawDocument> answers, ExplainRequest request, Operation operation) {
        String stage = stage(kind, target);
        BsonArray plans = new BsonArray();
        BsonArray executions = new BsonArray();
        long[] totals = new long[4];
        Iterator<ShardId> shards = target.shards().iterator();
        for (RawDocument answer : answers) {
            ShardId shard = shards.next();
            BsonDocument explained = answer.toBson();
            plans.add(plan(shard, explained, operation));
            if (explained.isDocument("executionStats")) {
                executions.add(execution(shard, explained.getDocument("executionStats"), totals));
            }
        }
        BsonDocument winning = new BsonDocument("stage", new BsonString(stage)).append("shards", plans);
        target.whyBroadcast().ifPresent(why -> winning.append("whyBroadcast", new BsonString(why)));
        BsonDocument reply = new BsonDocument(
                "queryPlanner",
                new BsonDocument("mongosPlannerVersion", new BsonInt32(1)).append("winningPlan", winning));
        if (request.verbosity() != ExplainRequest.Verbosity.QUERY_PLANNER) {
            reply.append("executionStats", executionStats(stage, executions, totals));
        }
        return RawDocument.of(closing(reply, request.command()));
    }

    private static String stage(Kind kind, Target target) {
        return switch (kind) {
            case WRITE -> "SHARD_WRITE";
            case READ -> target.shards().size() <= 1 ? "SINGLE_SHARD" : "SHARD_MERGE";
            case SORTED -> target.shards().size() <= 1 ? "SINGLE_SHARD" : "SHARD_MERGE_SORT";
        };
    }

    private BsonDocument plan(ShardId shard, BsonDocument explained, Operation operation) {
        BsonDocument plan = new BsonDocument("explainVersion", explained.get("explainVersion", new BsonString("1")))
                .append("shardName", new BsonString(shard.name()))
                .append(
                        "connectionString",
                        new BsonString(services.shards().get(shard, operation).connectionString()))
                .append("serverInfo", explained.get("serverInfo", new BsonDocument()));
        plan.putAll(explained.getDocument("queryPlanner", new BsonDocument()));
        return plan;
    }

    private static BsonDocument execution(ShardId shard, BsonDocument stats, long[] totals) {
        String[] names = {"nReturned", "executionTimeMillis", "totalKeysExamined", "totalDocsExamined"};
        for (int i = 0; i < names.length; i++) {
            long value = stats.isNumber(names[i]) ? stats.getNumber(names[i]).longValue() : 0;
            totals[i] = i == 1 ? Math.max(totals[i], value) : totals[i] + value; // shards run side by side
        }
        BsonDocument execution = new BsonDocument("shardName", new BsonString(shard.name()))
                .append("executionSuccess", stats.get("executionSuccess", BsonBoolean.TRUE));
        stats.forEach((name, value) -> {
            if (!name.equals("allPlansExecution")) {
                execution.putIfAbsent(name, value);
            }
        });
        return execution;
    }

    private static BsonDocument executionStats(String stage, BsonArray executions, long[] totals) {
        BsonDocument stages = totals(new BsonDocument("stage", new BsonString(stage)), totals)
                .append("totalChildMillis", new BsonInt64(totals[1]))
                .append("shards", executions);
        return totals(new BsonDocument(), totals).append("executionStages", stages);
    }

    private static BsonDocument totals(BsonDocument into, long[] totals) {
        return into.append("nReturned", number(totals[0]))
                .append("executionTimeMillis", number(totals[1]))
                .append("totalKeysExamined", number(totals[2]))
                .append("totalDocsExamined", number(totals[3]));
    }

    private static BsonValue number(long value) {
        return value <= Integer.MAX_VALUE ? new BsonInt32((int) value) : new BsonInt64(value);
    }

    RawDocument aggregate(
            Target target,
            Optional<Pipeline.Split> split,
            List<RawDocument> answers,
            RawDocument sent,
            Operation operation) {
        BsonDocument reply = new BsonDocument("mergeType", new BsonString("mongos"));
        reply.append(
                "splitPipeline",
                split.<BsonValue>map(halves -> new BsonDocument(
                                        "shardsPart",
                                        Stage.toBson(halves.shards().stages()))
                                .append("mergerPart", mergerPart(halves)))
                        .orElse(BsonNull.VALUE));
        if (split.isEmpty()) {
            reply.remove("mergeType");
        }
        target.whyBroadcast().ifPresent(why -> reply.append("whyBroadcast", new BsonString(why)));
        BsonDocument shards = new BsonDocument();
        Iterator<ShardId> names = target.shards().iterator();
        for (RawDocument answer : answers) {
            ShardId shard = names.next();
            BsonDocument explained = answer.toBson();
            BsonDocument shown = new BsonDocument(
                    "host",
                    new BsonString(services.shards().get(shard, operation).primary()));
            for (String part : List.of("explainVersion", "queryPlanner", "executionStats", "stages")) {
                if (explained.containsKey(part)) {
                    shown.append(part, explained.get(part));
                }
            }
            shards.append(shard.name(), shown);
        }
        return RawDocument.of(closing(reply.append("shards", shards), sent));
    }

    private static BsonArray mergerPart(Pipeline.Split split) {
        BsonDocument merge = new BsonDocument();
        split.mergeOrder()
                .ifPresent(order -> merge.append("sort", order.toDocument().toBson()));
        BsonArray part = new BsonArray();
        part.add(new BsonDocument("$mergeCursors", merge));
        part.addAll(Stage.toBson(split.routerAfterMerge().stages()));
        return part;
    }

    private BsonDocument closing(BsonDocument reply, RawDocument command) {
        int colon = process.host().lastIndexOf(':');
        BsonDocument server = new BsonDocument(
                        "host", new BsonString(process.host().substring(0, Math.max(0, colon))))
                .append("port", new BsonInt32(Integer.parseInt(process.host().substring(colon + 1))))
                .append("version", new BsonString(ProcessInfo.COMPATIBLE_VERSION))
                .append("gitVersion", new BsonString(process.git()));
        return reply.append("serverInfo", server)
                .append("serverParameters", new BsonDocument())
                .append(
                        "command",
                        io.ostraka.router.gather.Forward.without(command, java.util.Set.of())
                                .build()
                                .toBson());
    }
}
