package io.ostraka.wire.session;

import static io.ostraka.core.error.ErrorCode.INTERRUPTED;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.command.Operations;
import io.ostraka.wire.cursor.CursorRegistry;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Ends sessions, with what lives in them. Safe for many threads. */
public final class SessionEnds {
    private final Sessions sessions;
    private final CursorRegistry cursors;
    private final Operations operations;
    private final Consumer<RawDocument> also;

    /** @param also told of each session that has ended, known here or not: its transaction goes */
    public SessionEnds(Sessions sessions, CursorRegistry cursors, Operations operations, Consumer<RawDocument> also) {
        this.sessions = sessions;
        this.cursors = cursors;
        this.operations = operations;
        this.also = also;
    }

    public Sessions sessions() {
        return sessions;
    }

    /** The client is done with it: its cursors are closed; what runs in it comes to its end. */
    public void end(RawDocument lsid) {
        boolean unused = sessions.end(lsid);
        cursors.killSession(lsid);
        also.accept(lsid);
    }

    /** As {@link #end}, and its operations are ended too, but for the one that asks for it. */
    public void kill(RawDocument lsid, Operation asking) {
        for (Operation operation : operations.all()) {
            if (operation.id() != asking.id()
                    && operation.options().lsid().filter(lsid::equals).isPresent()) {
                operation.kill(INTERRUPTED.because("operation was interrupted: its session was killed"));
            }
        }
        end(lsid);
    }

    /** Kills all sessions that satisfy a condition: those known, and those in which something runs. */
    public void killIf(Predicate<RawDocument> condition, Operation asking) {
        Set<RawDocument> all = new LinkedHashSet<>(sessions.all());
        operations.all().forEach(operation -> operation.options().lsid().ifPresent(all::add));
        all.stream().filter(condition).forEach(lsid -> kill(lsid, asking));
    }

    /** Ends the sessions nobody has used for long. A session in which something runs is in use. */
    public void expire() {
        for (RawDocument lsid : sessions.expire()) {
            boolean busy = operations.all().stream()
                    .anyMatch(operation ->
                            operation.options().lsid().filter(lsid::equals).isPresent());
            if (busy) {
                sessions.used(lsid);
            } else {
                end(lsid);
            }
        }
    }
}
