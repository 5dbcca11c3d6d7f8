package io.ostraka.server.cli;

import io.ostraka.server.options.OptionTable;

/** {@code mongod --help} and {@code mongos --help}. */
final class OptionsHelp {
    private OptionsHelp() {}

    static String of(String program) {
        return "Usage: " + program + " [--flag value | --flag=value | -f FILE ...]\n\nObeyed:\n"
                + String.join(
                        "\n",
                        new OptionTable(program)
                                .obeyed().stream().map(flag -> "  --" + flag).toList())
                + "\n\nEvery other flag of MongoDB 8.0 is either accepted without effect, which the log says,\n"
                + "or refused with the reason. docs/operations/options.md lists them all.\n";
    }
}
