package io.ostraka.router.command;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.ShardId;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.command.Operations;
import io.ostraka.wire.common.Small;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * {@code currentOp} and {@code killOp} of the cluster.
 *
 * <pre>
 * { currentOp: 1, $all: b?, $ownOps: b?, field: condition, … }  →  { inprog: [ {shard, opid: "shard:n", …}, … ] }
 * { killOp: 1, op: "shard:n" }  →  { shard, shardid: n }
 * { killOp: 1, op: n }          →  { info }   an operation of this router
 * </pre>
 */
final class OperationsOnCluster {
    private final ClusterServices services;
    private final OutsideDocuments outside;
    private final Operations local;

    OperationsOnCluster(ClusterServices services, OutsideDocuments outside, Operations local) {
        this.services = services;
        this.outside = outside;
        this.local = local;
    }

    List<Command<?>> all() {
        return List.of(
                new Small("currentOp", Needs.admin("inprog", Needs.Kind.CONTROL), this::inProgress),
                new Small("killOp", Needs.admin("killop", Needs.Kind.CONTROL), this::kill));
    }

    private BsonDocument inProgress(Fields fields, Operation operation) {
        RawBuilder conditions = new RawBuilder();
        RawCursor field = fields.body().cursor();
        field.next();
        while (field.next()) {
            String name = field.name();
            boolean option = Fields.isGeneric(name) || name.equals("$all") || name.equals("$ownOps");
            if (!option) {
                conditions.element(field);
            }
        }
        DocumentTest wanted =
                FilterCompiler.compile(FilterParser.parse(conditions.build()), services.context(operation));
        BsonDocument spec = new BsonDocument("allUsers", BsonBoolean.TRUE)
                .append("idleConnections", BsonBoolean.valueOf(fields.bool("$all", false)));
        BsonArray rows = new BsonArray();
        outside.ofShards(spec, operation).stream().filter(wanted::test).forEach(row -> rows.add(row.toBson()));
        return new BsonDocument("inprog", rows);
    }

    private BsonDocument kill(Fields fields, Operation operation) {
        BsonValue op = fields.requiredValue("op");
        if (op.isNumber()) {
            boolean found = local.kill(op.asNumber().longValue());
            return new BsonDocument("info", new BsonString("attempting to kill op"))
                    .append("found", BsonBoolean.valueOf(found));
        }
        if (!op.isString()) {
            throw TYPE_MISMATCH.because("Expected op to be a string \"shard:number\", or a number");
        }
        String text = op.asString().getValue();
        int colon = text.lastIndexOf(':');
        long number;
        try {
            number = Long.parseLong(text, colon + 1, text.length(), 10);
        } catch (NumberFormatException bad) {
            throw BAD_VALUE.because(
                    "The op argument to killOp must be of the format shardid:opid but found \"%s\"", text);
        }
        if (colon <= 0) {
            throw BAD_VALUE.because(
                    "The op argument to killOp must be of the format shardid:opid but found \"%s\"", text);
        }
        ShardId shard = new ShardId(text.substring(0, colon));
        RawDocument command =
                new RawBuilder().put("killOp", 1).put("op", number).build();
        RawDocument reply = services.shards().get(shard, operation).run("admin", command, Map.of(), true, operation);
        return new BsonDocument("shard", new BsonString(shard.name()))
                .append("shardid", new org.bson.BsonInt64(number))
                .append("info", reply.get("info"));
    }
}
