package io.ostraka.wire.common;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.ILLEGAL_OPERATION;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The table of server parameters: what {@code getParameter} knows and {@code setParameter} may change. */
public final class Parameters {
    /**
     * One parameter.
     *
     * @param get its value now
     * @param set checks and takes a new value and answers with what was stored; refuses one that cannot change
     */
    public record Parameter(String name, Supplier<BsonValue> get, UnaryOperator<BsonValue> set) {
        /** One that never changes while the process runs. */
        public static Parameter fixed(String name, BsonValue value) {
            return new Parameter(name, () -> value, ignored -> {
                throw ILLEGAL_OPERATION.because("not allowed to change [%s] at runtime", name);
            });
        }

        /** A whole number within bounds that something here obeys. */
        public static Parameter number(String name, long initial, long min, long max, LongConsumer obey) {
            var holder = new Object() {
                private volatile BsonValue value = new BsonInt64(initial);
            };
            return new Parameter(name, () -> holder.value, value -> {
                if (!value.isNumber()) {
                    throw TYPE_MISMATCH.because("parameter %s must be a number", name);
                }
                long number = value.asNumber().longValue();
                if (number < min || number > max) {
                    throw BAD_VALUE.because(
                            "Invalid value for parameter %s: %d is not from %d to %d", name, number, min, max);
                }
                obey.accept(number);
                holder.value = new BsonInt64(number);
                return holder.value;
            });
        }

        /** A switch that something here obeys. */
        public static Parameter flag(String name, boolean initial, java.util.function.Consumer<Boolean> obey) {
            var holder = new Object() {
                private volatile BsonBoolean value = BsonBoolean.valueOf(initial);
            };
            return new Parameter(name, () -> holder.value, value -> {
                boolean on = value.isBoolean()
                        ? value.asBoolean().getValue()
                        : value.isNumber() && value.asNumber().doubleValue() != 0;
                obey.accept(on);
                holder.value = BsonBoolean.valueOf(on);
                return holder.value;
            });
        }
    }

    private final Map<String, Parameter> byName = new TreeMap<>();

    public Parameters(Collection<Parameter> parameters) {
        for (Parameter parameter : parameters) {
            byName.put(parameter.name(), parameter);
        }
    }

    /** These and some more. */
    Parameters with(List<Parameter> more) {
        List<Parameter> all = new ArrayList<>(byName.values());
        all.addAll(more);
        return new Parameters(all);
    }

    /** Those every process has. */
    public static List<Parameter> common() {
        return List.of(
                Parameter.fixed("authenticationMechanisms", new BsonArray()),
                Parameter.fixed("enableTestCommands", BsonBoolean.FALSE),
                Parameter.fixed("featureCompatibilityVersion", new BsonDocument("version", new BsonString("8.0"))),
                Parameter.fixed("maxBSONDepth", new BsonInt32(180)),
                Parameter.fixed("requireApiVersion", BsonBoolean.FALSE));
    }

    BsonValue get(String name) {
        return known(name, "no option found to get").get().get();
    }

    /** @return what it was before */
    BsonValue set(String name, BsonValue value) {
        Parameter parameter =
                known(name, "attempted to set unrecognized parameter [" + name + "], use help:true to see options ");
        BsonValue before = parameter.get().get();
        BsonValue stored = parameter.set().apply(value);
        org.slf4j.LoggerFactory.getLogger("COMMAND").info("parameter {} is now {}, was {}", name, stored, before);
        return before;
    }

    private Parameter known(String name, String otherwise) {
        Parameter parameter = byName.get(name);
        if (parameter == null) {
            throw INVALID_OPTIONS.because(otherwise);
        }
        return parameter;
    }

    Collection<Parameter> all() {
        return byName.values();
    }
}
