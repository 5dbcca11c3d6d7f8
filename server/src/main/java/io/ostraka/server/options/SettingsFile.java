package io.ostraka.server.options;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads a settings file: YAML with nested keys, or the older lines of {@code key = value}. */
final class SettingsFile {
    /** Bytes of a settings file at the most. */
    private static final long MAX_BYTES = 1 << 20;

    private SettingsFile() {}

    /** @throws OptionError if it cannot be read, or says what is not in the table or refused */
    static Given read(OptionTable table, Path file) {
        String text;
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new OptionError("The settings file " + file + " is larger than " + MAX_BYTES + " bytes.");
            }
            text = Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new OptionError("The settings file " + file + " cannot be read: " + e.getMessage() + ".");
        }
        boolean lines = text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .allMatch(line -> line.matches("[A-Za-z_]+\\s*=.*"));
        return lines ? ofLines(table, file, text) : ofYaml(table, file, text);
    }

    private static Given ofLines(OptionTable table, Path file, String text) {
        Given given = new Given();
        for (String line : text.lines().map(String::strip).toList()) {
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            int equals = line.indexOf('=');
            String name = line.substring(0, equals).strip();
            Option option = table.flag(name).orElseThrow(() -> unknown(table, file, name, false));
            String value = line.substring(equals + 1).strip();
            // Switching a protection off is no reason to refuse.
            if (!value.equals("false")) {
                CommandLine.refuse(option, name + " in " + file);
            }
            given.add(option, value);
        }
        return given;
    }

    private static Given ofYaml(OptionTable table, Path file, String text) {
        Object root;
        try {
            root = new Load(LoadSettings.builder().build()).loadFromString(text);
        } catch (YamlEngineException e) {
            throw new OptionError("The settings file " + file + " is no valid YAML: " + e.getMessage() + ".");
        }
        Given given = new Given();
        if (root == null) {
            return given;
        }
        if (!(root instanceof Map<?, ?> map)) {
            throw new OptionError("The settings file " + file + " must hold keys like 'net:' at its top.");
        }
        map.forEach((key, value) -> take(table, file, given, String.valueOf(key), value));
        return given;
    }

    private static void take(OptionTable table, Path file, Given given, String path, Object value) {
        switch (path) {
            case "sharding.clusterRole" -> role(table, file, given, String.valueOf(value));
            case "security.authorization" -> {
                boolean enabled = String.valueOf(value).equals("enabled");
                put(table, file, given, path + (enabled ? ".enabled" : ".disabled"), "true");
            }
            case "systemLog.destination" -> {
                if (!String.valueOf(value).equals("file")) {
                    put(table, file, given, "systemLog.destination.syslog", "true");
                }
            }
            case "cloud.monitoring.free.state", "operationProfiling.mode" -> {
                if (!String.valueOf(value).equals("off")) {
                    put(table, file, given, path, String.valueOf(value));
                }
            }
            case "net.tls.mode" -> {
                if (!String.valueOf(value).equals("disabled")) {
                    put(table, file, given, path, String.valueOf(value));
                }
            }
            case "setParameter" -> {
                if (value instanceof Map<?, ?> parameters) {
                    parameters.forEach((name, set) -> put(table, file, given, path, name + "=" + set));
                }
            }
            default -> {
                if (path.startsWith("systemLog.component")) {
                    return;
                }
                if (value instanceof Map<?, ?> map && table.key(path).isEmpty()) {
                    map.forEach((key, inner) -> take(table, file, given, path + "." + key, inner));
                } else if (value instanceof List<?> list) {
                    list.forEach(each -> put(table, file, given, path, String.valueOf(each)));
                } else {
                    put(table, file, given, path, String.valueOf(value));
                }
            }
        }
    }

    private static void role(OptionTable table, Path file, Given given, String role) {
        if (!role.equals("configsvr") && !role.equals("shardsvr")) {
            throw new OptionError(
                    "sharding.clusterRole in " + file + " must be configsvr or shardsvr, not '" + role + "'.");
        }
        put(table, file, given, "sharding.clusterRole." + role, "true");
    }

    private static void put(OptionTable table, Path file, Given given, String path, String value) {
        Option option = table.key(path).orElseThrow(() -> unknown(table, file, path, true));
        if (!value.equals("false") && !value.equals("null")) {
            CommandLine.refuse(option, path + " in " + file);
        }
        given.add(option, value);
    }

    private static OptionError unknown(OptionTable table, Path file, String name, boolean keys) {
        Optional<String> near = table.nearest(name, keys);
        return new OptionError("Unrecognised key '" + name + "' in " + file + "."
                + near.map(known -> " Did you mean " + known + "?").orElse(""));
    }
}
