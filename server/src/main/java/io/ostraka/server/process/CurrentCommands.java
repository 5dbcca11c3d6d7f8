package io.ostraka.server.process;

import static io.ostraka.core.error.ErrorCode.NOT_WRITABLE_PRIMARY;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.CommandAround;
import io.ostraka.wire.command.Operation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The commands of something that is made anew with each leadership, for a table that is made once. Where there is none at
 * the moment, a command answers 10107 NotWritablePrimary.
 */
final class CurrentCommands {
    private volatile Map<String, Command<?>> now = Map.of();

    /** From now on these run. */
    void set(List<Command<?>> commands) {
        Map<String, Command<?>> next = new HashMap<>();
        commands.forEach(command -> next.put(command.name(), command));
        now = Map.copyOf(next);
    }

    /** From now on none run. */
    void clear() {
        now = Map.of();
    }

    /** Commands for the table, by ones with the same names and grammar. */
    List<Command<?>> like(List<Command<?>> prototypes) {
        return prototypes.stream()
                .<Command<?>>map(prototype -> new Current<>(prototype, this))
                .toList();
    }

    private Optional<Command<?>> find(String name) {
        return Optional.ofNullable(now.get(name));
    }

    private record Current<R>(Command<R> inner, CurrentCommands commands) implements CommandAround<R> {
        @Override
        @SuppressWarnings("unchecked") // of the same name, so of the same class as the prototype
        public RawDocument run(R request, Operation operation) {
            Command<R> command =
                    (Command<R>) commands.find(name()).orElseThrow(() -> NOT_WRITABLE_PRIMARY.because("not primary"));
            return command.run(request, operation);
        }
    }
}
