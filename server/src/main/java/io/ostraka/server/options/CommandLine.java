package io.ostraka.server.options;

import java.util.List;
import java.util.Optional;

/**
 * Reads a command line as {@code mongod} does: {@code --flag value}, {@code --flag=value}, {@code -f file}, {@code -v}
 * repeated.
 */
final class CommandLine {
    private CommandLine() {}

    /** @throws OptionError for what is not in the table, refused, or without its value */
    static Given read(OptionTable table, List<String> arguments) {
        Given given = new Given();
        int verbosity = 0;
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.matches("-v+")) {
                verbosity += argument.length() - 1;
                given.add(table.flag("verbose").orElseThrow(), Integer.toString(verbosity));
                continue;
            }
            String name = longName(argument);
            int equals = name.indexOf('=');
            String value = equals < 0 ? null : name.substring(equals + 1);
            Option option = find(table, equals < 0 ? name : name.substring(0, equals));
            boolean hasNext = i + 1 < arguments.size() && !arguments.get(i + 1).startsWith("--");
            switch (option.takes()) {
                case NOTHING -> given.add(option, value == null ? "true" : value);
                case VALUE, VALUES -> {
                    if (value == null && option.flag().equals("verbose") && !hasNext) {
                        value = "1";
                    } else if (value == null) {
                        if (!hasNext) {
                            throw new OptionError("--" + option.flag() + " needs a value.");
                        }
                        value = arguments.get(++i);
                    }
                    given.add(option, value);
                }
            }
        }
        return given;
    }

    private static String longName(String argument) {
        if (argument.equals("-f")) {
            return "config";
        }
        if (argument.equals("-h")) {
            return "help";
        }
        if (argument.startsWith("--")) {
            return argument.substring(2);
        }
        throw new OptionError("'" + argument + "' is no option; options begin with --.");
    }

    private static Option find(OptionTable table, String name) {
        Option option = table.flag(name).orElseThrow(() -> unknown(table, name));
        refuse(option, "--" + name);
        return option;
    }

    private static OptionError unknown(OptionTable table, String name) {
        Optional<String> near = table.nearest(name, false);
        return new OptionError("Unrecognised option '--" + name + "'."
                + near.map(known -> " Did you mean --" + known + "?").orElse(""));
    }

    static void refuse(Option option, String shown) {
        if (option.treatment() == Option.Treatment.REFUSED) {
            throw new OptionError(shown + " is refused: " + option.why() + ". Leave it out to start without it.");
        }
    }
}
