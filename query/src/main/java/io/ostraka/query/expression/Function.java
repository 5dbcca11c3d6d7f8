package io.ostraka.query.expression;

import io.ostraka.query.run.RunContext;
import java.util.List;
import org.bson.BsonValue;

/**
 * One entry of the table of functions.
 *
 * @param name as clients write it, {@code $add}
 * @param arityMin fewest arguments
 * @param arityMax most arguments
 * @param names the arguments' names where they are given as a document; empty where they are given in order
 * @param required how many of the names must be there, from the first
 * @param body what it computes
 */
record Function(String name, int arityMin, int arityMax, List<String> names, int required, Body body) {
    /** What a function computes. Arguments that were left out or have no value are missing, never null. */
    @FunctionalInterface
    interface Body {
        BsonValue apply(BsonValue[] arguments, RunContext context);
    }

    /** What a function of one argument computes. */
    @FunctionalInterface
    interface Unary {
        BsonValue apply(BsonValue argument);
    }

    /** What a function of two arguments computes. */
    @FunctionalInterface
    interface Binary {
        BsonValue apply(BsonValue one, BsonValue other);
    }

    static Function unary(String name, Unary body) {
        return new Function(name, 1, 1, List.of(), 0, (arguments, _) -> body.apply(arguments[0]));
    }

    static Function binary(String name, Binary body) {
        return new Function(name, 2, 2, List.of(), 0, (arguments, _) -> body.apply(arguments[0], arguments[1]));
    }

    /** A function of {@code min} to {@code max} arguments in order. */
    static Function of(String name, int min, int max, Body body) {
        return new Function(name, min, max, List.of(), 0, body);
    }

    /** A function of arguments with names, of which the first {@code required} must be there. */
    static Function named(String name, int required, List<String> names, Body body) {
        return new Function(name, names.size(), names.size(), names, required, body);
    }
}
