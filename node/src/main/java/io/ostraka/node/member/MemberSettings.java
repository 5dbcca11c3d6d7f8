package io.ostraka.node.member;

import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.node.placement.PlacementGuard;
import io.ostraka.node.set.SetOpening;
import io.ostraka.replication.ReplicationLimits;
import io.ostraka.storage.StorageResources;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * How a member is opened.
 *
 * @param folder its data; locked while it is open
 * @param program the program's version, for the stamp of the folder
 * @param setName its replica set
 * @param address {@code host:port} it is known by; asked again each time, since a port may be chosen late
 * @param resources what all members of the process share
 * @param guard what a shard says about placement
 * @param opening how its replica set is opened
 * @param clock where time comes from
 * @param ids for what must be unique
 */
public record MemberSettings(
        Path folder,
        String program,
        String setName,
        Supplier<String> address,
        StorageResources resources,
        ReplicationLimits replication,
        PlacementGuard guard,
        SetOpening opening,
        Clock clock,
        Ids ids) {}
