package io.ostraka.server.options;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * What {@code mongod} and {@code mongos} were started with, checked.
 *
 * @param role of a {@code mongod}
 * @param bindIps addresses to listen on
 * @param port 0 for any
 * @param dbpath data of a {@code mongod}
 * @param replSet the set of a {@code mongod}
 * @param configdb the config servers, for a {@code mongos}
 * @param logpath where the log goes; empty for standard output
 * @param logappend whether an existing log file is added to, or moved aside
 * @param logRotate {@code rename} or {@code reopen}
 * @param pidfilepath where the process's number is written
 * @param fork whether the program detaches
 * @param maxConns clients' connections at once
 * @param slowMillis operations that took longer are logged
 * @param verbosity 0 to 5
 * @param parameters {@code setParameter}s, {@code name=value}
 * @param withoutEffect options that were given and mean nothing here, as sentences
 * @param shown the settings as {@code getCmdLineOpts} shows them
 */
public record ServerSettings(
        Role role,
        List<String> bindIps,
        int port,
        Path dbpath,
        Optional<String> replSet,
        Optional<String> configdb,
        Optional<Path> logpath,
        boolean logappend,
        String logRotate,
        Optional<Path> pidfilepath,
        boolean fork,
        int maxConns,
        int slowMillis,
        int verbosity,
        List<String> parameters,
        List<String> withoutEffect,
        BsonDocument shown) {
    /** What a process is for, and its standard port. */
    public enum Role {
        ALONE(27017),
        SHARD(27018),
        CONFIG(27019),
        ROUTER(27017);

        private final int port;

        Role(int port) {
            this.port = port;
        }
    }

    /** Connections at once, where none is set: what MongoDB takes. */
    public static final int DEFAULT_MAX_CONNECTIONS = 65_536;

    /** What was asked for instead of a start. */
    public enum Only {
        NOTHING,
        HELP,
        VERSION
    }

    /** Settings, or what else was asked for. */
    public record Parsed(Only only, Optional<ServerSettings> settings) {}

    /**
     * Reads and checks a command line, and the file it names.
     *
     * @throws OptionError for anything that cannot be obeyed
     */
    public static Parsed parse(String program, List<String> arguments) {
        OptionTable table = new OptionTable(program);
        Given given = CommandLine.read(table, arguments);
        if (given.has("help")) {
            return new Parsed(Only.HELP, Optional.empty());
        }
        if (given.has("version")) {
            return new Parsed(Only.VERSION, Optional.empty());
        }
        given.value("config").ifPresent(file -> given.addMissing(SettingsFile.read(table, Path.of(file))));
        return new Parsed(Only.NOTHING, Optional.of(of(table, given)));
    }

    private static ServerSettings of(OptionTable table, Given given) {
        Role role = role(table, given);
        boolean fork = given.has("fork");
        if (fork && given.value("logpath").isEmpty()) {
            throw new OptionError("--fork needs --logpath: a detached process has no terminal to write to.");
        }
        String rotate = given.value("logRotate").orElse("rename");
        if (!rotate.equals("rename") && !rotate.equals("reopen")) {
            throw new OptionError("--logRotate must be rename or reopen, not '" + rotate + "'.");
        }
        Optional<String> configdb = given.value("configdb");
        if (role == Role.ROUTER) {
            checkConfigdb(configdb);
        }
        for (String parameter : given.values("setParameter")) {
            if (parameter.indexOf('=') <= 0) {
                throw new OptionError("--setParameter takes name=value, not '" + parameter + "'.");
            }
        }
        return new ServerSettings(
                role,
                bindIps(given),
                given.number("port", role.port, 0, 65_535),
                Path.of(given.value("dbpath").orElse("/data/db")),
                given.value("replSet").map(set -> set.split("/")[0]),
                configdb,
                given.value("logpath").map(Path::of),
                given.has("logappend"),
                rotate,
                given.value("pidfilepath").map(Path::of),
                fork,
                given.number("maxConns", DEFAULT_MAX_CONNECTIONS, 5, 1_000_000),
                given.number("slowms", 100, -1, Integer.MAX_VALUE),
                given.number("verbose", 0, 0, 5),
                given.values("setParameter"),
                withoutEffect(table, given),
                shown(table, given));
    }

    private static Role role(OptionTable table, Given given) {
        if (table.program().equals("mongos")) {
            return Role.ROUTER;
        }
        boolean config = given.has("configsvr");
        boolean shard = given.has("shardsvr");
        if (config && shard) {
            throw new OptionError("--configsvr and --shardsvr exclude each other: start two processes.");
        }
        if ((config || shard) && given.value("replSet").isEmpty()) {
            throw new OptionError((config ? "--configsvr" : "--shardsvr") + " needs --replSet NAME: "
                    + (config ? "config servers" : "shards") + " are replica sets.");
        }
        return config ? Role.CONFIG : shard ? Role.SHARD : Role.ALONE;
    }

    private static void checkConfigdb(Optional<String> configdb) {
        if (configdb.isEmpty()) {
            throw new OptionError("mongos needs --configdb SET/HOST:PORT, the config servers of the cluster.");
        }
        if (configdb.get().indexOf('/') <= 0) {
            throw new OptionError(
                    "--configdb must name the set of the config servers, as in configReplSet/host:27019, not '"
                            + configdb.get() + "'.");
        }
    }

    private static List<String> bindIps(Given given) {
        if (given.has("bind_ip_all")) {
            return List.of("0.0.0.0");
        }
        List<String> all = new ArrayList<>();
        for (String ip :
                Arrays.asList(given.value("bind_ip").orElse("127.0.0.1").split(","))) {
            if (ip.startsWith("/")) {
                continue; // a Unix socket's path: there are none, which --nounixsocket users expect anyway
            }
            all.add(ip.strip().equals("localhost") ? "127.0.0.1" : ip.strip());
        }
        if (all.isEmpty() || all.contains("")) {
            throw new OptionError("--bind_ip must name addresses, separated by commas.");
        }
        return all.stream().distinct().toList();
    }

    private static List<String> withoutEffect(OptionTable table, Given given) {
        List<String> sentences = new ArrayList<>();
        for (String flag : given.flags()) {
            Option option = table.flag(flag).orElseThrow();
            if (option.treatment() == Option.Treatment.WITHOUT_EFFECT) {
                sentences.add("--" + flag + " has no effect here: " + option.why());
            }
        }
        return sentences;
    }

    private static BsonDocument shown(OptionTable table, Given given) {
        BsonDocument shown = new BsonDocument();
        for (String flag : given.flags()) {
            Option option = table.flag(flag).orElseThrow();
            String path = option.key().isEmpty() ? option.flag() : option.key();
            if (path.startsWith("sharding.clusterRole.")) {
                put(shown, "sharding.clusterRole", new BsonString(flag));
            } else if (option.takes() == Option.Takes.VALUES) {
                BsonDocument parameters = new BsonDocument();
                for (String parameter : given.values(flag)) {
                    int equals = parameter.indexOf('=');
                    parameters.put(
                            parameter.substring(0, Math.max(0, equals)),
                            new BsonString(parameter.substring(equals + 1)));
                }
                put(shown, path, parameters);
            } else {
                put(shown, path, value(option, given.value(flag).orElseThrow()));
            }
        }
        return shown;
    }

    private static BsonValue value(Option option, String text) {
        if (option.takes() == Option.Takes.NOTHING) {
            return BsonBoolean.valueOf(!text.equals("false"));
        }
        try {
            return new BsonInt32(Integer.parseInt(text));
        } catch (NumberFormatException e) {
            return new BsonString(text);
        }
    }

    private static void put(BsonDocument in, String path, BsonValue value) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            in.put(path, value);
            return;
        }
        String first = path.substring(0, dot);
        if (!in.isDocument(first)) {
            in.put(first, new BsonDocument());
        }
        put(in.getDocument(first), path.substring(dot + 1), value);
    }
}
