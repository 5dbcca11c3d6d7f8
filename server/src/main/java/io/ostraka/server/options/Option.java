package io.ostraka.server.options;

import java.util.List;

/**
 * One flag of the command line and its key in a file.
 *
 * @param flag the name after {@code --}
 * @param key the path in a YAML file, or empty where there is none
 * @param takes what follows the flag
 * @param treatment what it means here
 * @param programs who knows it
 * @param why for those without effect and those refused: a clause that ends "... because"
 */
record Option(String flag, String key, Takes takes, Treatment treatment, Programs programs, String why) {
    enum Takes {
        NOTHING,
        VALUE,
        /** May be given several times. */
        VALUES
    }

    enum Treatment {
        OBEYED,
        WITHOUT_EFFECT,
        REFUSED
    }

    enum Programs {
        BOTH(List.of("mongod", "mongos")),
        MONGOD(List.of("mongod")),
        MONGOS(List.of("mongos"));

        private final List<String> names;

        Programs(List<String> names) {
            this.names = names;
        }

        boolean include(String program) {
            return names.contains(program);
        }
    }
}
