package io.ostraka.server.cli;

import io.ostraka.replication.raft.RaftFailure;
import io.ostraka.server.options.OptionError;
import io.ostraka.server.process.StartRefused;
import io.ostraka.server.process.Version;
import io.ostraka.storage.FolderRefused;
import io.ostraka.storage.StorageFailure;
import io.ostraka.wire.common.ProcessInfo;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;

/** The program {@code ostraka}. */
public final class Main {
    private static final String HELP = """
            Usage: ostraka COMMAND [OPTION ...]

              cluster   a whole sharded cluster in one process; the quickest way to begin
              mongod    one member: alone, a shard (--shardsvr) or a config server (--configsvr)
              mongos    a router (--configdb SET/HOST:PORT)
              test      the project's own tests (from a source tree)
              build     only builds (from a source tree)
              bench     measures (from a source tree)
              version   what this is

            ostraka COMMAND --help lists a command's options.
            """;

    private static final int CARRIERS_PER_CORE = 2;

    private Main() {}

    public static void main(String[] arguments) {
        raiseCarriers();
        Console console = new Console();
        String command = arguments.length == 0 ? "help" : arguments[0];
        List<String> rest = Arrays.asList(arguments).subList(Math.min(1, arguments.length), arguments.length);
        try {
            ExitCode code = run(console, command, rest);
            console.exit(code);
        } catch (OptionError e) {
            console.err().println("ostraka: " + e.getMessage());
            console.exit(ExitCode.BAD_OPTION);
        } catch (StartRefused e) {
            console.err().println("ostraka: " + e.getMessage());
            console.exit(e.isPortInUse() ? ExitCode.PORT_IN_USE : ExitCode.FAILED);
        } catch (FolderRefused | UncheckedIOException | StorageFailure | RaftFailure e) {
            console.err().println("ostraka: " + e.getMessage());
            console.exit(ExitCode.FAILED);
        }
    }

    /** Before the first virtual thread: reads that wait for the disk hold a carrier. See decision 6. */
    private static void raiseCarriers() {
        String property = "jdk.virtualThreadScheduler.parallelism";
        if (System.getProperty(property) == null) {
            System.setProperty(
                    property,
                    Integer.toString(CARRIERS_PER_CORE * Runtime.getRuntime().availableProcessors()));
        }
    }

    private static ExitCode run(Console console, String command, List<String> arguments) {
        return switch (command) {
            case "cluster" -> ClusterCommand.run(console, arguments);
            case "mongod", "mongos" -> new ServerCommand(console, command).run(arguments);
            case "version", "--version" -> {
                console.out().println(version("ostraka"));
                yield ExitCode.CLEAN;
            }
            case "help", "--help", "-h" -> {
                console.out().print(HELP);
                yield ExitCode.CLEAN;
            }
            default -> throw new OptionError("'" + command + "' is no command; ostraka help lists them.");
        };
    }

    static String version(String program) {
        return program + ": Ostraka " + Version.PROGRAM + " (" + Version.git()
                + "), compatible with clients of MongoDB " + ProcessInfo.COMPATIBLE_VERSION;
    }
}
