package io.ostraka.sharding.config;

import static io.ostraka.core.error.ErrorCode.ILLEGAL_OPERATION;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.OPERATION_FAILED;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.placement.ShardId;
import io.ostraka.sharding.catalog.CatalogStore;
import io.ostraka.sharding.catalog.ClusterCatalog;
import io.ostraka.sharding.catalog.DatabaseRow;
import io.ostraka.sharding.catalog.ShardRow;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * {@code addShard}: takes a replica set into the cluster.
 *
 * <pre>{ addShard: "set/host:port[,host:port]", name: shard? }  →  { shardAdded: shard }</pre>
 *
 * Members that were not named are found by asking one that was. The set must have been started as a shard
 * ({@code --shardsvr}) and belong to no other cluster; its databases come along, unless another shard has one of the
 * same name. Asking again changes nothing but the addresses, which follow the set.
 */
final class AddShardCommand implements Command<AddShardCommand.Request> {
    record Request(String set, List<String> hosts, Optional<String> name) {}

    private final ConfigServices services;
    private final Supplier<BsonDocument> identity;

    /** @param identity what a shard must know of the cluster: {@code {clusterId, configsvrConnectionString}} */
    AddShardCommand(ConfigServices services, Supplier<BsonDocument> identity) {
        this.services = services;
        this.identity = identity;
    }

    @Override
    public String name() {
        return "addShard";
    }

    @Override
    public List<String> aliases() {
        return List.of("addshard");
    }

    @Override
    public Needs needs() {
        return Needs.internal(Needs.Kind.WRITE);
    }

    @Override
    public Request parse(Fields fields) {
        if (fields.has("maxSize")) {
            throw INVALID_OPTIONS.because("maxSize is no option of addShard any more");
        }
        String target = fields.ownString();
        int slash = target.indexOf('/');
        List<String> hosts = Arrays.asList(target.substring(slash + 1).split(","));
        for (String host : hosts) {
            if (host.isEmpty() || host.indexOf(':') <= 0) {
                throw ErrorCode.FAILED_TO_PARSE.because(
                        "'%s' is no address of a shard; write it as set/host:port,host:port", target);
            }
        }
        return new Request(slash < 0 ? "" : target.substring(0, slash), hosts, fields.string("name"));
    }

    @Override
    public RawDocument run(Request request, Operation operation) {
        BsonDocument hello = hello(request, operation);
        String set = hello.getString("setName", new BsonString("")).getValue();
        if (hello.containsKey("msg") && hello.getString("msg").getValue().equals("isdbgrid")) {
            throw ILLEGAL_OPERATION.because("%s is a router (mongos), not a shard", request.hosts.getFirst());
        }
        if (hello.containsKey("configsvr")) {
            throw ILLEGAL_OPERATION.because("%s is a config server, not a shard", request.hosts.getFirst());
        }
        if (set.isEmpty()) {
            throw OPERATION_FAILED.because(
                    "%s is no member of a replica set; start it with --shardsvr --replSet NAME",
                    request.hosts.getFirst());
        }
        if (!request.set.isEmpty() && !request.set.equals(set)) {
            throw OPERATION_FAILED.because(
                    "%s is a member of set '%s', not of '%s'", request.hosts.getFirst(), set, request.set);
        }
        List<String> hosts = new ArrayList<>();
        for (BsonValue host : hello.getArray("hosts", new BsonArray())) {
            hosts.add(host.asString().getValue());
        }
        ShardId id = new ShardId(request.name.orElse(set));
        if (id.equals(ShardId.CONFIG)) {
            throw ILLEGAL_OPERATION.because("A shard cannot be called 'config'");
        }
        String primary =
                hello.getString("primary", new BsonString(hosts.getFirst())).getValue();
        add(id, set, hosts, primary, operation);
        return RawDocument.of(new BsonDocument("shardAdded", new BsonString(id.name())));
    }

    private BsonDocument hello(Request request, Operation operation) {
        CommandException last = null;
        for (String host : request.hosts) {
            try {
                return services.direct()
                        .call(host, "admin", new BsonDocument("hello", new BsonInt32(1)), operation.deadline());
            } catch (CommandException e) {
                last = e;
            }
        }
        throw OPERATION_FAILED.because(
                "No member of %s can be reached: %s", request.hosts, last == null ? "none named" : last.getMessage());
    }

    private void add(ShardId id, String set, List<String> hosts, String primary, Operation operation) {
        for (ShardRow other : services.catalog().shards()) {
            if (other.id().equals(id) && !other.set().equals(set)) {
                throw ILLEGAL_OPERATION.because("Shard '%s' exists and is set '%s'", id, other.set());
            }
            if (other.set().equals(set) && !other.id().equals(id)) {
                throw ILLEGAL_OPERATION.because("Set '%s' is shard '%s' already", set, other.id());
            }
        }
        BsonDocument join = new BsonDocument("_shardsvrJoin", new BsonString(id.name()));
        join.putAll(identity.get());
        BsonDocument joined = services.direct().call(primary, "admin", join, operation.deadline());

        Optional<ShardRow> existing = services.catalog().shards().stream()
                .filter(row -> row.id().equals(id))
                .findFirst();
        if (existing.isPresent()) {
            if (!existing.get().hosts().equals(hosts)) {
                services.store()
                        .commit(List.of(new CatalogStore.Change.Put(
                                ClusterCatalog.SHARDS, existing.get().at(hosts).document())));
            }
            return;
        }
        List<CatalogStore.Change> changes = new ArrayList<>();
        changes.add(new CatalogStore.Change.Put(
                ClusterCatalog.SHARDS,
                ShardRow.create(id, set, hosts, services.store().tick()).document()));
        for (BsonValue name : joined.getArray("databases")) {
            String database = name.asString().getValue();
            services.catalog().database(database).ifPresent(row -> {
                throw OPERATION_FAILED.because(
                        "Set '%s' has a database '%s', and so has shard '%s'; drop one of them first",
                        set, database, row.primary());
            });
            changes.add(new CatalogStore.Change.Put(
                    ClusterCatalog.DATABASES,
                    new DatabaseRow(
                                    database,
                                    id,
                                    services.ids().uuid(),
                                    services.store().tick(),
                                    1)
                            .toBson()));
        }
        changes.add(services.changelog()
                .change(
                        "addShard",
                        "",
                        new BsonDocument("name", new BsonString(id.name()))
                                .append("host", new BsonString(set + "/" + String.join(",", hosts)))));
        services.store().commit(changes);
    }
}
