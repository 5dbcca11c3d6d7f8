package io.ostraka.node.command;

import io.ostraka.node.member.Member;
import io.ostraka.wire.command.Command;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** The commands on a member's own database, made when the first comes: most members never have one. Safe for many threads. */
final class LocalCommands implements Supplier<Map<String, Command<?>>> {
    private final Member member;
    private final Function<Member, List<Command<?>>> commands;
    private Map<String, Command<?>> made = Map.of();

    /** @param commands makes them for the store of {@code local} */
    LocalCommands(Member member, Function<Member, List<Command<?>>> commands) {
        this.member = member;
        this.commands = commands;
    }

    @Override
    public synchronized Map<String, Command<?>> get() {
        if (made.isEmpty()) {
            Map<String, Command<?>> all = new HashMap<>();
            commands.apply(member.local()).forEach(command -> all.put(command.name(), command));
            made = Map.copyOf(all);
        }
        return made;
    }
}
