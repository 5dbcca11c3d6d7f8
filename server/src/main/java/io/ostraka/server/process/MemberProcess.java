package io.ostraka.server.process;

import io.ostraka.node.command.MemberRole;
import io.ostraka.node.command.MemberSections;
import io.ostraka.node.command.NodeCommands;
import io.ostraka.node.command.Transactional;
import io.ostraka.node.member.Member;
import io.ostraka.node.member.MemberSettings;
import io.ostraka.node.placement.PlacementGuard;
import io.ostraka.node.set.SetOpening;
import io.ostraka.node.write.Transactions;
import io.ostraka.replication.ReplicationLimits;
import io.ostraka.replication.raft.RaftLimits;
import io.ostraka.replication.raft.RaftTimes;
import io.ostraka.sharding.ShardServer;
import io.ostraka.sharding.catalog.MemberStore;
import io.ostraka.sharding.config.Balancer;
import io.ostraka.sharding.config.ConfigServer;
import io.ostraka.sharding.shard.ShardGuard;
import io.ostraka.storage.Stamp;
import io.ostraka.storage.StorageResources;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.CommandTable;
import io.ostraka.wire.common.CommonCommands;
import io.ostraka.wire.common.Parameters;
import io.ostraka.wire.common.Role;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/** A {@code mongod}: one member of a set, alone, as a shard, or as a config server. */
public final class MemberProcess implements AutoCloseable {
    /** What the member is for. */
    public enum Kind {
        ALONE,
        SHARD,
        CONFIG
    }

    /**
     * What a member needs beside what every process needs.
     *
     * @param folder its data
     * @param setName its replica set
     * @param waits whether an empty member waits to be initiated or added; otherwise it is a set of its own at once
     * @param resources shared by all members of the JVM; owned by the caller
     * @param orphanDelayMillis how long documents stay that a move left behind
     * @param balancer pauses of the balancer, on a config server
     */
    public record Settings(
            Kind kind,
            Path folder,
            String setName,
            boolean waits,
            StorageResources resources,
            long orphanDelayMillis,
            Balancer.Limits balancer) {
        /** As in MongoDB ({@code orphanCleanupDelaySecs}). */
        public static final long ORPHAN_DELAY_MILLIS = 900_000;
    }

    /** The parameter that says how many megabytes of the disk are kept free: below, writes are refused (14031). */
    public static final String DISK_RESERVE = "diskReserveMegabytes";

    /** An exabyte: more than any disk has, so that writes can be stopped by hand. */
    private static final long MAX_DISK_RESERVE = 1L << 40;

    private final Foundation foundation;
    private final Settings settings;
    private final Member member;
    private final CurrentCommands commands = new CurrentCommands();
    private final List<Command<?>> roleCommands;

    private MemberProcess(ProcessSettings process, Settings settings) {
        this.settings = settings;
        foundation = new Foundation(process, "mongod");
        CompletableFuture<ClusterClient> client = new CompletableFuture<>();
        Member opened = null;
        try {
            ShardGuard guard = new ShardGuard();
            opened = Member.open(
                    memberSettings(process, guard, client),
                    () -> Stamp.fresh(
                            Version.PROGRAM, process.ids().uuid(), process.ids().uuid()));
            member = opened;
            client.complete(foundation.client(member.clock()));
            roleCommands = switch (settings.kind) {
                case ALONE -> List.of();
                case SHARD -> shard(process, guard);
                case CONFIG -> config(process);
            };
            member.set().group().watch(foundation::roleChanged);
            foundation.whenSessionEnds(member.transactions()::sessionEnded);
            foundation.serve(table(), member.clock());
            foundation.everySecond(
                    () -> member.transactions().expire(process.clock().nanos()));
        } catch (RuntimeException e) {
            client.completeExceptionally(e);
            foundation.close();
            if (opened != null) {
                opened.close();
            }
            throw e;
        }
    }

    private MemberSettings memberSettings(
            ProcessSettings process, ShardGuard guard, CompletableFuture<ClusterClient> client) {
        return new MemberSettings(
                settings.folder,
                Version.PROGRAM,
                settings.setName,
                foundation::address,
                settings.resources,
                ReplicationLimits.DEFAULT,
                settings.kind == Kind.SHARD ? guard : PlacementGuard.OPEN,
                new SetOpening(settings.waits, client::join, RaftTimes.DEFAULT, RaftLimits.DEFAULT),
                process.clock(),
                process.ids());
    }

    /** A shard server for as long as this member leads, and another for as long as it follows. */
    private List<Command<?>> shard(ProcessSettings process, ShardGuard guard) {
        ShardServer.Parts parts = new ShardServer.Parts(
                member, guard, foundation.client(member.clock()), process.clock(), settings.orphanDelayMillis);
        ShardServer following = new ShardServer(parts);
        commands.set(following.commands());
        member.leaderTasks().add(leadership -> {
            ShardServer leading = new ShardServer(parts);
            leading.start(leadership);
            commands.set(leading.commands());
            return () -> {
                leading.close();
                commands.set(new ShardServer(parts).commands());
            };
        });
        return following.commands();
    }

    /** A config server for as long as this member leads. */
    private List<Command<?>> config(ProcessSettings process) {
        MemberStore store = new MemberStore(member);
        ConfigServer.Parts parts = new ConfigServer.Parts(
                store,
                foundation.client(member.clock()),
                process.clock(),
                process.ids(),
                foundation.address(),
                member.set()::connectionString,
                settings.balancer);
        member.leaderTasks().add(_ -> {
            store.prepare();
            ConfigServer leading = ConfigServer.start(parts);
            commands.set(leading.commands());
            return () -> {
                commands.clear();
                leading.close();
            };
        });
        return ConfigServer.unstarted(parts).commands();
    }

    /**
     * Starts a member; it answers when this returns.
     *
     * @throws StartRefused if a port cannot be listened on
     * @throws io.ostraka.storage.FolderRefused if the folder cannot be used
     */
    public static MemberProcess start(ProcessSettings process, Settings settings) {
        return new MemberProcess(process, settings);
    }

    private CommandTable table() {
        CommonCommands.Parts common = foundation.common(role(), parameters(), MemberSections.of(member));
        List<Command<?>> all = new ArrayList<>(CommonCommands.of(common));
        all.addAll(CommonCommands.ofOperations(common));
        all.addAll(NodeCommands.of(new NodeCommands.Parts(
                member,
                foundation.cursors(),
                CommonCommands.currentOperations(common),
                foundation.info(),
                foundation.stages())));
        all.addAll(commands.like(roleCommands));
        return CommandTable.of(Transactional.wrap(member, all));
    }

    private List<Parameters.Parameter> parameters() {
        return List.of(
                diskReserve(),
                Parameters.Parameter.number(
                        "transactionLifetimeLimitSeconds",
                        Transactions.LIFETIME_SECONDS,
                        1,
                        Integer.MAX_VALUE,
                        member.transactions()::setLifetime));
    }

    private Parameters.Parameter diskReserve() {
        return Parameters.Parameter.number(
                DISK_RESERVE,
                settings.resources.limits().diskReserveBytes() >> 20,
                0,
                MAX_DISK_RESERVE,
                megabytes -> member.parts().proposer().reserve().keep(megabytes << 20));
    }

    private Role role() {
        MemberRole role = new MemberRole(member);
        return new Role() {
            @Override
            public boolean isWritable() {
                return role.isWritable();
            }

            @Override
            public BsonDocument helloFields() {
                BsonDocument fields = role.helloFields();
                if (settings.kind == Kind.CONFIG) {
                    fields.append("configsvr", new BsonInt32(2));
                }
                return fields;
            }
        };
    }

    /** {@code host:port}, as others reach it. */
    public String address() {
        return foundation.address();
    }

    public int port() {
        return foundation.port();
    }

    /** {@code set/host:port,host:port}. */
    public String connectionString() {
        return member.set().connectionString();
    }

    /** The member, for what runs in the same JVM. */
    public Member member() {
        return member;
    }

    /** The client with which this process speaks to others. */
    public ClusterClient client() {
        return foundation.client(member.clock());
    }

    /** Stops: no new requests, then the background work, then the store. */
    @Override
    public void close() {
        foundation.close();
        member.close();
    }
}
