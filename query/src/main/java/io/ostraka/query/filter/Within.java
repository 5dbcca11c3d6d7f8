package io.ostraka.query.filter;

import io.ostraka.query.expression.Variables;

/**
 * Where a part of a filter is read.
 *
 * @param depth how many operators are around it
 * @param variables that expressions may use
 */
record Within(int depth, Variables variables) {
    static final Within TOP = new Within(0, Variables.NONE);

    Within deeper() {
        return new Within(depth + 1, variables);
    }
}
