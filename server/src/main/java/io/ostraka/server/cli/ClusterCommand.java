package io.ostraka.server.cli;

import io.ostraka.server.embedded.ClusterSettings;
import io.ostraka.server.embedded.EmbeddedCluster;
import io.ostraka.server.log.ServerLog;
import io.ostraka.server.options.OptionError;
import io.ostraka.server.process.Version;
import io.ostraka.wire.common.ProcessHooks;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ostraka cluster}: a config set, shards and routers in one process. */
@Command(
        name = "ostraka cluster",
        description = "Starts a sharded cluster in one process and prints where to connect. Ctrl-C stops it.",
        sortOptions = false,
        separator = " ")
final class ClusterCommand {
    /** Seconds within which everything must have stopped. */
    private static final long STOP_SECONDS = 10;

    @Option(names = "--shards", paramLabel = "N", description = "shards (3)")
    private int shards = 3;

    @Option(names = "--members", paramLabel = "N", description = "members of each shard and of the config servers (1)")
    private int members = 1;

    @Option(names = "--routers", paramLabel = "N", description = "routers (1)")
    private int routers = 1;

    @Option(names = "--chunk-size", paramLabel = "MB", description = "chunk size in megabytes, 1 to 1024 (128)")
    private Integer chunkSize;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "port of the first router; the others follow; 0 for any free ones (27017)")
    private int port = 27_017;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "data folder; a temporary one, deleted at the end, if absent")
    private Path data;

    @Option(names = "--bind-ip", paramLabel = "IP", split = ",", description = "addresses to listen on (127.0.0.1)")
    private List<String> bindIps = List.of("127.0.0.1");

    @Option(names = "--log", paramLabel = "FILE", description = "log file (none; warnings go to standard error)")
    private Path log;

    @Option(
            names = {"--help", "-h"},
            usageHelp = true,
            description = "this")
    private boolean help;

    private ClusterCommand() {}

    static ExitCode run(Console console, List<String> arguments) {
        ClusterCommand command = new ClusterCommand();
        CommandLine line = new CommandLine(command);
        try {
            line.parseArgs(arguments.stream()
                    .flatMap(argument -> argument.startsWith("--") && argument.contains("=")
                            ? Arrays.stream(argument.split("=", 2))
                            : Stream.of(argument))
                    .toArray(String[]::new));
        } catch (CommandLine.ParameterException e) {
            throw new OptionError(e.getMessage() + ". ostraka cluster --help lists the options.");
        }
        if (command.help) {
            line.usage(console.out());
            return ExitCode.CLEAN;
        }
        return command.run(console);
    }

    private ClusterSettings settings() {
        check("--shards", shards, 1, ClusterSettings.MAX_SHARDS);
        check("--routers", routers, 1, 100);
        check("--members", members, 1, ClusterSettings.MAX_MEMBERS);
        check("--port", port, 0, 65_535 - (shards + 1) * members - routers);
        ClusterSettings settings = ClusterSettings.DEFAULT
                .withShards(shards)
                .withMembers(members)
                .withRouters(routers)
                .withPort(port)
                .withBindIps(bindIps);
        if (chunkSize != null) {
            check("--chunk-size", chunkSize, 1, 1_024);
            settings = settings.withChunkMegabytes(chunkSize);
        }
        return data == null ? settings : settings.withFolder(data);
    }

    private static void check(String option, int value, int min, int max) {
        if (value < min || value > max) {
            throw new OptionError(option + " must be from " + min + " to " + max + ", not " + value + ".");
        }
    }

    private ExitCode run(Console console) {
        ClusterSettings settings = settings();
        try (ServerLog serverLog = log == null
                ? ServerLog.quiet(console.err())
                : ServerLog.open(Optional.of(log), true, ServerLog.Rotation.RENAME, 0, console.err())) {
            StartupWarnings.bound(settings.bindIps());
            ProcessHooks hooks = new ProcessHooks() {
                @Override
                public void rotateLog() {
                    serverLog.rotate();
                }

                @Override
                public void verbosity(String component, int level) {
                    serverLog.verbosity(component, level);
                }

                @Override
                public void shutdown(boolean force) {
                    console.stop();
                }
            };
            console.catchSignals(STOP_SECONDS);
            console.onUserSignal(serverLog::rotate);
            try (EmbeddedCluster cluster = EmbeddedCluster.start(settings, serverLog, hooks)) {
                console.out().println(greeting(cluster));
                console.awaitStop();
                console.out().println("Stopping ...");
            }
            return ExitCode.CLEAN;
        }
    }

    private String greeting(EmbeddedCluster cluster) {
        String where = data == null
                ? "Data is in a temporary folder and goes when the cluster stops; --data DIR keeps it."
                : "Data is in " + data.toAbsolutePath() + ".";
        return String.format(
                Locale.ROOT,
                """
                Ostraka %s: %d shard%s, %d router%s, %d config server%s. %s
                Connect with   mongosh "%s"
                Then try       sh.status()
                Ctrl-C stops it.""",
                Version.PROGRAM,
                shards,
                shards == 1 ? "" : "s",
                routers,
                routers == 1 ? "" : "s",
                members,
                members == 1 ? "" : "s",
                where,
                cluster.connectionString());
    }
}
