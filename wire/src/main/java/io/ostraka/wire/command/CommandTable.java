package io.ostraka.wire.command;

import static io.ostraka.core.error.ErrorCode.COMMAND_NOT_FOUND;

import io.ostraka.core.check.Check;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The commands of one process by name. The table is what exists. Immutable. */
public final class CommandTable {
    private final TreeMap<String, Command<?>> byName = new TreeMap<>();
    private final Map<String, Command<?>> bySpelling = new HashMap<>();
    private final Map<String, String> elsewhere;

    /** What no process does, and what to do instead. */
    private static final Map<String, String> NEVER = Map.of(
            "mapReduce", "Server-side JavaScript is not run here; use an aggregation pipeline",
            "mapreduce", "Server-side JavaScript is not run here; use an aggregation pipeline");

    private CommandTable(Collection<? extends Command<?>> commands, Map<String, String> elsewhere) {
        this.elsewhere = Map.copyOf(elsewhere);
        for (Command<?> command : commands) {
            Check.that(byName.put(command.name(), command) == null, "command " + command.name() + " stands once");
            add(command.name(), command);
            command.aliases().forEach(alias -> add(alias, command));
        }
    }

    private void add(String spelling, Command<?> command) {
        Check.that(bySpelling.put(spelling, command) == null, "spelling " + spelling + " means one command");
    }

    public static CommandTable of(Collection<? extends Command<?>> commands) {
        return new CommandTable(commands, Map.of());
    }

    public static CommandTable of(Command<?>... commands) {
        return new CommandTable(List.of(commands), Map.of());
    }

    /** This table and more commands. */
    public CommandTable and(Collection<? extends Command<?>> more) {
        List<Command<?>> all = new ArrayList<>(byName.values());
        all.addAll(more);
        return new CommandTable(all, elsewhere);
    }

    /** This table, which tells of commands it has not where to ask for them: by their names, what to do. */
    public CommandTable elsewhere(Map<String, String> advice) {
        return new CommandTable(byName.values(), advice);
    }

    public Optional<Command<?>> find(String spelling) {
        return Optional.ofNullable(bySpelling.get(spelling));
    }

    /** @throws io.ostraka.core.error.CommandException 59 CommandNotFound */
    public Command<?> get(String spelling) {
        Command<?> command = bySpelling.get(spelling);
        if (command == null) {
            String advice = elsewhere.getOrDefault(spelling, NEVER.get(spelling));
            throw COMMAND_NOT_FOUND.because("no such command: '%s'%s", spelling, advice == null ? "" : ". " + advice);
        }
        return command;
    }

    /** All commands, sorted by name. */
    public Collection<Command<?>> all() {
        return java.util.Collections.unmodifiableCollection(byName.values());
    }
}
