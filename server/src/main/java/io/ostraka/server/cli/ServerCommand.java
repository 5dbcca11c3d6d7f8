package io.ostraka.server.cli;

import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.server.log.ServerLog;
import io.ostraka.server.options.ServerSettings;
import io.ostraka.server.process.MemberProcess;
import io.ostraka.server.process.ProcessSettings;
import io.ostraka.server.process.RouterProcess;
import io.ostraka.server.process.StartParameters;
import io.ostraka.server.process.StartRefused;
import io.ostraka.server.process.Version;
import io.ostraka.sharding.config.Balancer;
import io.ostraka.storage.StorageLimits;
import io.ostraka.storage.StorageResources;
import io.ostraka.wire.common.ProcessHooks;
import io.ostraka.wire.common.ProcessInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code mongod} and {@code mongos}: one process, with the flags operators know. */
final class ServerCommand {
    private static final Logger LOG = LoggerFactory.getLogger("CONTROL");
    private static final long STOP_SECONDS = 10;
    /** The set of a member that was given none. */
    private static final String OWN_SET = "ostraka";

    private final Console console;
    private final String program;

    ServerCommand(Console console, String program) {
        this.console = console;
        this.program = program;
    }

    ExitCode run(List<String> arguments) {
        ServerSettings.Parsed parsed = ServerSettings.parse(program, arguments);
        switch (parsed.only()) {
            case HELP -> {
                console.out().print(OptionsHelp.of(program));
                return ExitCode.CLEAN;
            }
            case VERSION -> {
                console.out()
                        .println(
                                program.equals("mongod")
                                        ? "db version v" + ProcessInfo.COMPATIBLE_VERSION
                                        : "mongos version v" + ProcessInfo.COMPATIBLE_VERSION);
                console.out().println(Main.version(program));
                return ExitCode.CLEAN;
            }
            case NOTHING -> {
                // Go on below.
            }
        }
        ServerSettings settings = parsed.settings().orElseThrow();
        return settings.fork() && !Fork.isChild(console)
                ? new Fork(console).run(program, arguments)
                : serve(settings, arguments);
    }

    private ExitCode serve(ServerSettings settings, List<String> arguments) {
        ServerLog.Rotation rotation =
                settings.logRotate().equals("reopen") ? ServerLog.Rotation.REOPEN : ServerLog.Rotation.RENAME;
        try (ServerLog log = ServerLog.open(
                settings.logpath(), settings.logappend(), rotation, settings.verbosity(), console.out())) {
            LOG.atInfo()
                    .addKeyValue("id", 23403)
                    .addKeyValue("ctx", "initandlisten")
                    .addKeyValue(
                            "buildInfo",
                            new BsonDocument("version", new BsonString(ProcessInfo.COMPATIBLE_VERSION))
                                    .append("gitVersion", new BsonString(Version.git()))
                                    .append("modules", new BsonArray())
                                    .append("ostraka", new BsonString(Version.PROGRAM)))
                    .log("Build Info");
            settings.withoutEffect().forEach(LOG::warn);
            StartupWarnings.bound(settings.bindIps());
            StartupWarnings.files(settings.maxConns());
            ProcessSettings process = process(settings, log, arguments);
            console.catchSignals(STOP_SECONDS);
            console.onUserSignal(log::rotate);
            AutoCloseable server = settings.role() == ServerSettings.Role.ROUTER
                    ? RouterProcess.start(process, settings.configdb().orElseThrow())
                    : new WithResources(process, settings);
            try {
                settings.pidfilepath().ifPresent(ServerCommand::writePid);
                Fork.tellReady(console);
                console.awaitStop();
                LOG.atInfo().addKeyValue("id", 23138).log("Shutting down");
            } finally {
                server.close();
                settings.pidfilepath().ifPresent(ServerCommand::deletePid);
            }
            return ExitCode.CLEAN;
        } catch (RuntimeException e) {
            Fork.tellFailed(console, e);
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private ProcessSettings process(ServerSettings settings, ServerLog log, List<String> arguments) {
        List<String> shown = new ArrayList<>(List.of(program));
        shown.addAll(arguments);
        ProcessHooks hooks = new ProcessHooks() {
            @Override
            public void rotateLog() {
                log.rotate();
            }

            @Override
            public void verbosity(String component, int level) {
                log.verbosity(component, level);
            }

            @Override
            public void shutdown(boolean force) {
                console.stop();
            }
        };
        return new ProcessSettings(
                settings.bindIps(),
                settings.port(),
                ProcessSettings.OPEN_KEY,
                Optional.empty(),
                settings.maxConns(),
                settings.slowMillis(),
                log,
                hooks,
                shown,
                settings.shown(),
                StartParameters.of(settings.parameters()),
                Clock.SYSTEM,
                Ids.system());
    }

    /** A member and the storage resources of its JVM. */
    private static final class WithResources implements AutoCloseable {
        private final StorageResources resources;
        private final MemberProcess member;

        WithResources(ProcessSettings process, ServerSettings settings) {
            if (!Files.isDirectory(settings.dbpath())) {
                throw new StartRefused("The data folder " + settings.dbpath()
                        + " does not exist. Make it, or name another with --dbpath.");
            }
            resources = StorageResources.open(StorageLimits.DEFAULT.withDiskReserve(
                    number(settings, MemberProcess.DISK_RESERVE, StorageLimits.DEFAULT.diskReserveBytes() >> 20)
                            << 20));
            try {
                member = MemberProcess.start(
                        process,
                        new MemberProcess.Settings(
                                kind(settings.role()),
                                settings.dbpath(),
                                settings.replSet().orElse(OWN_SET),
                                settings.replSet().isPresent(),
                                resources,
                                orphanDelay(settings),
                                Balancer.Limits.DEFAULT));
            } catch (RuntimeException e) {
                resources.close();
                throw e;
            }
        }

        private static MemberProcess.Kind kind(ServerSettings.Role role) {
            return switch (role) {
                case CONFIG -> MemberProcess.Kind.CONFIG;
                case SHARD -> MemberProcess.Kind.SHARD;
                case ALONE, ROUTER -> MemberProcess.Kind.ALONE;
            };
        }

        private static long orphanDelay(ServerSettings settings) {
            long usual = MemberProcess.Settings.ORPHAN_DELAY_MILLIS / 1_000;
            return number(settings, "orphanCleanupDelaySecs", usual) * 1_000;
        }

        private static long number(ServerSettings settings, String name, long otherwise) {
            for (String parameter : settings.parameters()) {
                if (parameter.startsWith(name + "=")) {
                    String value = parameter.substring(name.length() + 1);
                    if (!value.matches("\\d{1,12}")) {
                        throw new StartRefused(
                                "--setParameter " + name + " takes a whole number, not '" + value + "'.");
                    }
                    return Long.parseLong(value);
                }
            }
            return otherwise;
        }

        @Override
        public void close() {
            member.close();
            resources.close();
        }
    }

    private static void writePid(Path path) {
        try {
            Files.writeString(path, ProcessHandle.current().pid() + "\n", StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new StartRefused("The pid file " + path + " cannot be written: " + e.getMessage());
        }
    }

    private static void deletePid(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.warn("the pid file {} cannot be deleted", path);
        }
    }
}
