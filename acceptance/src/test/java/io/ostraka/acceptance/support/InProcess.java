package io.ostraka.acceptance.support;

import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.server.process.MemberProcess;
import io.ostraka.server.process.ProcessSettings;
import io.ostraka.server.process.StartParameters;
import io.ostraka.sharding.config.Balancer;
import io.ostraka.storage.StorageResources;
import io.ostraka.wire.common.ProcessHooks;
import io.ostraka.wire.common.RecentLog;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/** Members in this JVM, each with its own port and folder, as {@code mongod --replSet} would start them. */
public final class InProcess {
    private InProcess() {}

    /** What an operator's commands would do to the whole process; a test asks for none of it. */
    private static final class NoHooks implements ProcessHooks {
        @Override
        public void rotateLog() {
            throw new AssertionError("nobody rotates");
        }

        @Override
        public void shutdown(boolean force) {
            throw new AssertionError("nobody shuts down");
        }
    }

    /**
     * Starts one that waits to be initiated or added if its folder is empty. The caller closes it.
     *
     * @param port 0 for any
     * @param resources shared by those of this JVM
     * @param orphanDelayMillis how long documents stay that a move left behind
     */
    public static MemberProcess start(
            MemberProcess.Kind kind,
            Path folder,
            String set,
            int port,
            StorageResources resources,
            long orphanDelayMillis) {
        ProcessSettings process = new ProcessSettings(
                List.of("127.0.0.1"),
                port,
                ProcessSettings.OPEN_KEY,
                Optional.empty(),
                1000,
                100,
                RecentLog.NONE,
                new NoHooks(),
                List.of(),
                new BsonDocument(),
                StartParameters.DEFAULT,
                Clock.SYSTEM,
                Ids.system());
        return MemberProcess.start(
                process,
                new MemberProcess.Settings(
                        kind, folder, set, true, resources, orphanDelayMillis, Balancer.Limits.DEFAULT));
    }
}
