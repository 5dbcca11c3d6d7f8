package io.ostraka.replication.raft;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** Ratis's settings. What is not set here has the library's default. */
final class RaftConfig {
    /** The most of a body in one entry; below half of what Ratis sends at once, above which a leader would step down. */
    static final int PART_BYTES = 1 << 20;

    private RaftConfig() {}

    static RaftProperties properties(Path folder, RaftTimes times, RaftLimits limits) {
        RaftProperties properties = new RaftProperties();
        RaftConfigKeys.Rpc.setType(properties, new MemberRpcType());
        RaftServerConfigKeys.setStorageDir(properties, List.of(folder.toFile()));
        RaftServerConfigKeys.setRemovedGroupsDir(
                properties, folder.resolve("removed").toFile());
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, millis(times.electionMin()));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, millis(times.electionMax()));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, millis(times.firstElectionMin()));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, millis(times.firstElectionMax()));
        RaftServerConfigKeys.Rpc.setRequestTimeout(properties, millis(times.request()));
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(properties, millis(times.stepDown()));
        // A laptop's sleep or a long pause of the JVM must not end the server.
        RaftServerConfigKeys.setCloseThreshold(properties, TimeDuration.valueOf(3650, TimeUnit.DAYS));
        RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(properties, false);
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(limits.segmentBytes()));
        RaftServerConfigKeys.Log.setSegmentCacheNumMax(properties, 2);
        RaftServerConfigKeys.Log.setSegmentCacheSizeMax(properties, SizeInBytes.valueOf("32MB"));
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf("1MB"));
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
        RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
        RaftServerConfigKeys.Log.setPurgePreservationLogNum(properties, limits.keptEntries());
        RaftServerConfigKeys.Log.Appender.setSnapshotChunkSizeMax(properties, SizeInBytes.valueOf("4MB"));
        RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(properties, true);
        RaftServerConfigKeys.RetryCache.setExpiryTime(properties, TimeDuration.valueOf(5, TimeUnit.SECONDS));
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, limits.checkpointEntries());
        RaftServerConfigKeys.Snapshot.setCreationGap(properties, 1);
        RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, false);
        RaftServerConfigKeys.Snapshot.setTriggerWhenRemoveEnabled(properties, false);
        return properties;
    }

    private static TimeDuration millis(long millis) {
        return TimeDuration.valueOf(millis, TimeUnit.MILLISECONDS);
    }
}
