package io.ostraka.node.command;

import io.ostraka.wire.command.Operation;
import java.util.List;

/** Numbers of the statements of a retryable write. */
final class Statements {
    private Statements() {}

    /** The number of the statement at a place: as sent, or counted from the first. */
    static int number(Operation operation, int index) {
        List<Integer> sent = operation.options().stmtIds();
        if (index < sent.size()) {
            return sent.get(index);
        }
        return sent.isEmpty() ? index : sent.getLast() + index - sent.size() + 1;
    }
}
