package io.ostraka.wire.request;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Fields;
import java.util.List;
import java.util.Map;

/**
 * {@code explain}.
 *
 * @param command the command explained, with its fields
 * @param verbosity how much is told
 */
public record ExplainRequest(String database, RawDocument command, Verbosity verbosity) {
    /** How much an explain tells: each tells what the one before does, and more. */
    public enum Verbosity {
        QUERY_PLANNER("queryPlanner"),
        EXECUTION_STATS("executionStats"),
        ALL_PLANS_EXECUTION("allPlansExecution");

        private final String word;

        Verbosity(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }

        static Verbosity of(String word) {
            for (Verbosity verbosity : values()) {
                if (verbosity.word.equals(word)) {
                    return verbosity;
                }
            }
            throw BAD_VALUE.because(
                    "verbosity string must be one of {'queryPlanner', 'executionStats', 'allPlansExecution'}");
        }
    }

    public static ExplainRequest parse(Fields fields) {
        return new ExplainRequest(
                fields.database(),
                fields.requiredOwnDocument(),
                Verbosity.of(fields.string("verbosity").orElse("allPlansExecution")));
    }

    /** The explained command's fields, for its own record to parse. */
    public Fields fields() {
        String name = command.firstName() == null ? "" : command.firstName();
        return new Fields(name, database, command, Map.<String, List<RawDocument>>of());
    }
}
