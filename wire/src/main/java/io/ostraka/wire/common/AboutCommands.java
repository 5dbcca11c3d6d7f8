package io.ostraka.wire.common;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.OPERATION_FAILED;
import static io.ostraka.core.error.ErrorCode.SET_FCV_WITHOUT_CONFIRM;

import io.ostraka.core.time.Clock;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.CommandTable;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.command.SlowOperations;
import java.util.List;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** The commands a client asks a process about itself with, one line each in {@link #all}. */
final class AboutCommands {
    private static final Needs ANYBODY = Needs.NOTHING;
    private static final Needs ADMIN = Needs.admin("serverStatus", Needs.Kind.STATELESS);

    private final ProcessInfo process;
    private final Clock clock;
    private final RecentLog log;
    private final ProcessHooks hooks;
    private final SlowOperations slow;
    private final Supplier<CommandTable> table;

    AboutCommands(
            ProcessInfo process,
            Clock clock,
            RecentLog log,
            ProcessHooks hooks,
            SlowOperations slow,
            Supplier<CommandTable> table) {
        this.process = process;
        this.clock = clock;
        this.log = log;
        this.hooks = hooks;
        this.slow = slow;
        this.table = table;
    }

    List<Command<?>> all() {
        return List.of(
                new Small("buildInfo", List.of("buildinfo"), ANYBODY, (_, _) -> buildInfo()),
                new Small("connectionStatus", ANYBODY, (fields, _) -> connectionStatus(fields)),
                new Small("features", ANYBODY, (_, _) -> new BsonDocument("js", BsonBoolean.FALSE)),
                new Small("getCmdLineOpts", ADMIN, (_, _) -> commandLine()),
                new Small("getDefaultRWConcern", ADMIN, (_, _) -> defaultConcerns()),
                new Small("getFreeMonitoringStatus", ADMIN, (_, _) -> text("state", "disabled")),
                new Small("getLog", ADMIN, (fields, _) -> recentLog(fields)),
                new Small("hostInfo", Needs.cluster("hostInfo", Needs.Kind.STATELESS), (_, _) -> hostInfo()),
                new Small("listCommands", ANYBODY, (_, _) -> listCommands()),
                new Small("logRotate", Needs.admin("logRotate", Needs.Kind.CONTROL), (_, _) -> rotate()),
                new Small("ping", ANYBODY, (_, _) -> new BsonDocument()),
                new Small(
                        "profile",
                        Needs.database("enableProfiler", Needs.Kind.CONTROL),
                        (fields, _) -> profile(fields)),
                new Small("rolesInfo", Needs.database("viewRole", Needs.Kind.STATELESS), (_, _) -> none("roles")),
                new Small(
                        "setFeatureCompatibilityVersion",
                        Needs.admin("setFeatureCompatibilityVersion", Needs.Kind.CONTROL),
                        (fields, _) -> setCompatibility(fields)),
                new Small("shutdown", Needs.admin("shutdown", Needs.Kind.CONTROL), (fields, _) -> shutdown(fields)),
                new Small("usersInfo", Needs.database("viewUser", Needs.Kind.STATELESS), (_, _) -> none("users")),
                new Small("whatsmyuri", ANYBODY, (_, operation) -> whoAmI(operation)));
    }

    private static BsonDocument text(String name, String value) {
        return new BsonDocument(name, new BsonString(value));
    }

    private static BsonDocument none(String name) {
        return new BsonDocument(name, new BsonArray());
    }

    private static BsonDocument whoAmI(Operation operation) {
        return text("you", operation.client().remote());
    }

    private BsonDocument buildInfo() {
        BsonArray version = new BsonArray();
        for (String part : ProcessInfo.COMPATIBLE_VERSION.split("\\.")) {
            version.add(new BsonInt32(Integer.parseInt(part)));
        }
        version.add(new BsonInt32(0));
        BsonDocument environment = text("target_arch", System.getProperty("os.arch"))
                .append("target_os", new BsonString(System.getProperty("os.name")));
        return text("version", ProcessInfo.COMPATIBLE_VERSION)
                .append("gitVersion", new BsonString(process.git()))
                .append("modules", new BsonArray())
                .append("allocator", new BsonString("system"))
                .append("javascriptEngine", new BsonString("none"))
                .append("sysInfo", new BsonString("deprecated"))
                .append("versionArray", version)
                .append("openssl", text("running", "disabled"))
                .append("buildEnvironment", environment)
                .append("bits", new BsonInt32(64))
                .append("debug", BsonBoolean.FALSE)
                .append("maxBsonObjectSize", new BsonInt32(16 << 20))
                .append("storageEngines", new BsonArray(List.of(new BsonString("rocksdb"))))
                .append("ostraka", ServerStatusCommand.ostraka(process));
    }

    private static BsonDocument connectionStatus(Fields fields) {
        BsonDocument info = none("authenticatedUsers").append("authenticatedUserRoles", new BsonArray());
        if (fields.bool("showPrivileges", false)) {
            info.append("authenticatedUserPrivileges", new BsonArray());
        }
        return new BsonDocument("authInfo", info);
    }

    private BsonDocument commandLine() {
        BsonArray arguments = new BsonArray();
        process.arguments().forEach(argument -> arguments.add(new BsonString(argument)));
        return new BsonDocument("argv", arguments).append("parsed", process.settings());
    }

    private BsonDocument defaultConcerns() {
        return new BsonDocument("defaultReadConcern", text("level", "local"))
                .append("defaultWriteConcern", text("w", "majority").append("wtimeout", new BsonInt32(0)))
                .append("defaultWriteConcernSource", new BsonString("implicit"))
                .append("defaultReadConcernSource", new BsonString("implicit"))
                .append("localUpdateWallClockTime", new BsonDateTime(clock.wallMillis()));
    }

    private BsonDocument recentLog(Fields fields) {
        String name = fields.ownString();
        switch (name) {
            case "*" -> {
                return new BsonDocument(
                        "names", new BsonArray(List.of(new BsonString("global"), new BsonString("startupWarnings"))));
            }
            case "global", "startupWarnings" -> {
                BsonArray lines = new BsonArray();
                log.lines(name).forEach(line -> lines.add(new BsonString(line)));
                return new BsonDocument("totalLinesWritten", new BsonInt32((int) log.total(name))).append("log", lines);
            }
            default -> throw OPERATION_FAILED.because("No log named '%s'", name);
        }
    }

    private BsonDocument hostInfo() {
        Runtime runtime = Runtime.getRuntime();
        int megabytes = (int) Math.min(Integer.MAX_VALUE, runtime.maxMemory() >> 20);
        BsonDocument system = new BsonDocument("currentTime", new BsonDateTime(clock.wallMillis()))
                .append("hostname", new BsonString(process.host()))
                .append("cpuAddrSize", new BsonInt32(64))
                .append("memSizeMB", new BsonInt64(megabytes))
                .append("memLimitMB", new BsonInt64(megabytes))
                .append("numCores", new BsonInt32(runtime.availableProcessors()))
                .append("cpuArch", new BsonString(System.getProperty("os.arch")))
                .append("numaEnabled", BsonBoolean.FALSE);
        BsonDocument os = text("type", System.getProperty("os.name"))
                .append("name", new BsonString(System.getProperty("os.name")))
                .append("version", new BsonString(System.getProperty("os.version")));
        return new BsonDocument("system", system).append("os", os).append("extra", new BsonDocument());
    }

    private BsonDocument listCommands() {
        BsonDocument commands = new BsonDocument();
        for (Command<?> command : table.get().all()) {
            Needs needs = command.needs();
            BsonArray aliases = new BsonArray();
            command.aliases().forEach(alias -> aliases.add(new BsonString(alias)));
            commands.put(
                    command.name(),
                    text("help", "")
                            .append("aliases", aliases)
                            .append("requiresAuth", BsonBoolean.valueOf(needs.scope() != Needs.Scope.NONE))
                            .append("secondaryOk", BsonBoolean.valueOf(needs.kind() != Needs.Kind.WRITE))
                            .append("adminOnly", BsonBoolean.valueOf(needs.adminOnly()))
                            .append("apiVersions", new BsonArray())
                            .append("deprecatedApiVersions", new BsonArray()));
        }
        return new BsonDocument("commands", commands);
    }

    private BsonDocument rotate() {
        hooks.rotateLog();
        return new BsonDocument();
    }

    /** Only the threshold of slow operations can be changed: there is no collection of profiled operations. */
    private BsonDocument profile(Fields fields) {
        long level = fields.own().isNumber() ? fields.own().asNumber().longValue() : -2;
        if (level < -1 || level > 2) {
            throw BAD_VALUE.because("profiling level must be -1, 0, 1 or 2");
        }
        if (level > 0) {
            throw INVALID_OPTIONS.because(
                    "profiling into a collection is not supported; slow operations are logged: set slowms with level 0");
        }
        int before = slow.thresholdMillis();
        fields.wholeNumber("slowms").ifPresent(millis -> slow.thresholdMillis(Math.clamp(millis, -1, 1 << 30)));
        return new BsonDocument("was", new BsonInt32(0))
                .append("slowms", new BsonInt32(before))
                .append("sampleRate", new BsonDouble(1));
    }

    private static BsonDocument setCompatibility(Fields fields) {
        if (!fields.ownString().equals("8.0")) {
            throw BAD_VALUE.because(
                    "Invalid feature compatibility version value '%s'; expected '8.0'", fields.ownString());
        }
        if (!fields.bool("confirm", false)) {
            throw SET_FCV_WITHOUT_CONFIRM.because(
                    "Once you have upgraded to 8.0, you will not be able to downgrade; run the command again with "
                            + "'confirm: true'");
        }
        return new BsonDocument();
    }

    private BsonDocument shutdown(Fields fields) {
        hooks.shutdown(fields.bool("force", false));
        return new BsonDocument();
    }
}
