package io.ostraka.acceptance.hosts;

import io.ostraka.acceptance.support.InProcess;
import io.ostraka.server.process.MemberProcess;
import io.ostraka.storage.StorageLimits;
import io.ostraka.storage.StorageResources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The program of one host: a member of the config servers' set and one of each shard's, on ports that follow each other. */
final class Host {
    static final String READY = "the host is ready";
    static final List<String> SETS = List.of("config", "shard0", "shard1");

    /** Short, so that a range which comes back soon finds the deletion of what it left behind. */
    private static final long ORPHAN_DELAY_MILLIS = 500;

    private Host() {}

    /** @param arguments a folder, and the first port */
    public static void main(String[] arguments) throws Exception {
        StorageResources resources = StorageResources.open(StorageLimits.DEFAULT);
        int port = Integer.parseInt(arguments[1]);
        for (String set : SETS) {
            MemberProcess.Kind kind = set.equals("config") ? MemberProcess.Kind.CONFIG : MemberProcess.Kind.SHARD;
            Path folder = Files.createDirectories(Path.of(arguments[0]).resolve(set));
            MemberProcess unused = InProcess.start(kind, folder, set, port, resources, ORPHAN_DELAY_MILLIS);
            port++;
        }
        System.out.println(READY);
        Thread.currentThread().join();
    }
}
