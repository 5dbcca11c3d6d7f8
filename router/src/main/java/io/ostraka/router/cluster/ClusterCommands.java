package io.ostraka.router.cluster;

import io.ostraka.router.cluster.Passed.About;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Needs.Kind;
import io.ostraka.wire.common.ProcessInfo;
import java.util.ArrayList;
import java.util.List;

/** The table of commands about the cluster. */
public final class ClusterCommands {
    private ClusterCommands() {}

    public static List<Command<?>> of(ClusterServices services, ClusterClient client, ProcessInfo process) {
        List<Command<?>> all = new ArrayList<>(List.of(
                new Passed(services, "addShard", About.SOMETHING_ELSE, Kind.WRITE, true),
                new Passed(services, "addShardToZone", About.SOMETHING_ELSE, Kind.WRITE, true),
                new Passed(services, "balancerCollectionStatus", About.COLLECTION, Kind.READ, true),
                new Passed(services, "balancerStart", About.SOMETHING_ELSE, Kind.CONTROL, true),
                new Passed(services, "balancerStatus", About.SOMETHING_ELSE, Kind.READ, true),
                new Passed(services, "balancerStop", About.SOMETHING_ELSE, Kind.CONTROL, true),
                new Passed(services, "clearJumboFlag", About.COLLECTION, Kind.WRITE, true),
                new Passed(services, "configureCollectionBalancing", About.COLLECTION, Kind.WRITE, true),
                new Passed(services, "enableSharding", About.SOMETHING_ELSE, Kind.WRITE, true),
                new Passed(services, "getShardMap", About.SOMETHING_ELSE, Kind.READ, true),
                new Passed(services, "listShards", About.SOMETHING_ELSE, Kind.READ, true),
                new Passed(services, "mergeAllChunksOnShard", About.COLLECTION, Kind.WRITE, true),
                new Passed(services, "mergeChunks", About.COLLECTION, Kind.WRITE, false),
                new Passed(services, "moveChunk", About.COLLECTION, Kind.WRITE, false),
                new Passed(services, "moveCollection", About.COLLECTION, Kind.WRITE, true),
                new Passed(services, "movePrimary", About.SOMETHING_ELSE, Kind.WRITE, true),
                new Passed(services, "moveRange", About.COLLECTION, Kind.WRITE, false),
                new Passed(services, "refineCollectionShardKey", About.COLLECTION, Kind.WRITE, true),
                new Passed(services, "removeShard", About.SOMETHING_ELSE, Kind.WRITE, true),
                new Passed(services, "removeShardFromZone", About.SOMETHING_ELSE, Kind.WRITE, true),
                new Passed(services, "setAllowMigrations", About.COLLECTION, Kind.WRITE, true),
                new Passed(services, "shardCollection", About.COLLECTION, Kind.WRITE, true),
                new Passed(services, "split", About.COLLECTION, Kind.WRITE, false),
                new Passed(services, "unshardCollection", About.COLLECTION, Kind.WRITE, true),
                new Passed(services, "updateZoneKeyRange", About.SOMETHING_ELSE, Kind.WRITE, true)));
        all.addAll(new RouterCommands(services, client, process).all());
        return List.copyOf(all);
    }
}
