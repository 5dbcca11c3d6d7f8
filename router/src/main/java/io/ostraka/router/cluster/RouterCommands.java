package io.ostraka.router.cluster;

import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_SHARDED;

import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.PlacementVersion;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.routing.DatabasePlacement;
import io.ostraka.router.routing.Routing;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.common.ProcessInfo;
import io.ostraka.wire.common.Small;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * What only this router can say.
 *
 * <pre>
 * { isdbgrid: 1 }                                   →  { isdbgrid: 1, hostname }
 * { flushRouterConfig: 1 | true | "db" | "db.coll" } →  { flushed: true }
 * { getShardVersion: "db.coll" }                    →  { version, versionEpoch, versionTimestamp }
 * { getShardVersion: "db" }                         →  { primaryShard, version: {…} }
 * { connPoolStats: 1 }                              →  { hosts: {address: {inUse, available, …}}, … }
 * </pre>
 */
final class RouterCommands {
    private final ClusterServices services;
    private final ClusterClient client;
    private final ProcessInfo process;

    RouterCommands(ClusterServices services, ClusterClient client, ProcessInfo process) {
        this.services = services;
        this.client = client;
        this.process = process;
    }

    List<Command<?>> all() {
        return List.of(
                new Small("connPoolStats", Needs.cluster("connPoolStats", Needs.Kind.STATELESS), (_, _) -> pools()),
                new Small(
                        "flushRouterConfig",
                        List.of("flushrouterconfig"),
                        Needs.admin("flushRouterConfig", Needs.Kind.CONTROL),
                        (fields, _) -> flush(fields)),
                new Small("getShardVersion", Needs.admin("getShardVersion", Needs.Kind.READ), this::version),
                new Small("isdbgrid", Needs.NOTHING, (_, _) -> isRouter()));
    }

    private BsonDocument isRouter() {
        return new BsonDocument("isdbgrid", new BsonInt32(1)).append("hostname", new BsonString(process.host()));
    }

    private BsonDocument flush(Fields fields) {
        BsonValue what = fields.own();
        if (!what.isString()) {
            services.cache().flush();
            services.shards().flush();
        } else if (what.asString().getValue().indexOf('.') < 0) {
            services.cache().forgetDatabase(what.asString().getValue());
        } else {
            services.cache().forget(Namespace.parse(what.asString().getValue()));
        }
        return new BsonDocument("flushed", BsonBoolean.TRUE);
    }

    private BsonDocument version(Fields fields, Operation operation) {
        String name = fields.ownString();
        if (name.indexOf('.') < 0) {
            DatabasePlacement database = services.cache()
                    .database(name, operation)
                    .orElseThrow(() -> NAMESPACE_NOT_FOUND.because("Database %s not found", name));
            return new BsonDocument(
                            "primaryShard", new BsonString(database.primary().name()))
                    .append("version", database.version().toBson());
        }
        Routing routing = services.cache().get(Namespace.parse(name), operation);
        RoutingTable table =
                routing.table().orElseThrow(() -> NAMESPACE_NOT_SHARDED.because("Collection %s is not sharded.", name));
        PlacementVersion highest = table.highest();
        return new BsonDocument("version", highest.toTimestamp())
                .append("versionEpoch", new BsonObjectId(highest.generation().epoch()))
                .append("versionTimestamp", highest.generation().timestamp());
    }

    private BsonDocument pools() {
        BsonDocument hosts = new BsonDocument();
        int[] total = new int[1];
        client.connections().forEach((address, count) -> {
            total[0] += count;
            hosts.append(address, host(count));
        });
        return new BsonDocument("numClientConnections", new BsonInt32(total[0]))
                .append("numAScopedConnections", new BsonInt32(0))
                .append("totalInUse", new BsonInt32(0))
                .append("totalAvailable", new BsonInt32(total[0]))
                .append("totalLeased", new BsonInt32(0))
                .append("totalCreated", new BsonInt32(total[0]))
                .append("totalRefreshing", new BsonInt32(0))
                .append("replicaSetMatchingStrategy", new BsonString("matchPrimaryNode"))
                .append("pools", new BsonDocument())
                .append("hosts", hosts)
                .append("replicaSets", new BsonDocument());
    }

    private static BsonDocument host(int connections) {
        return new BsonDocument("inUse", new BsonInt32(0))
                .append("available", new BsonInt32(connections))
                .append("leased", new BsonInt32(0))
                .append("created", new BsonInt32(connections))
                .append("refreshing", new BsonInt32(0));
    }
}
