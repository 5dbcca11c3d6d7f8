package io.ostraka.replication.raft;

import static io.ostraka.core.error.ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE;

import io.ostraka.core.error.CommandException;
import io.ostraka.replication.Fate;
import io.ostraka.replication.LogPosition;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The batches this member has submitted and that have no fate yet. Entries of the log are in order of their terms, so
 * one that has not come when an entry of a later term is applied will never come.
 */
final class Fates {
    private record Waiting(long term, List<CompletableFuture<Fate>> proposals) {}

    private final Map<RaftEntry.Batch, Waiting> waiting = new LinkedHashMap<>();
    private long reached;

    synchronized int size() {
        return waiting.values().stream()
                .mapToInt(each -> each.proposals().size())
                .sum();
    }

    synchronized void add(RaftEntry.Batch batch, long term, List<CompletableFuture<Fate>> proposals) {
        waiting.put(batch, new Waiting(term, List.copyOf(proposals)));
    }

    void applied(RaftEntry.Batch batch, LogPosition position) {
        end(batch, new Fate.Applied(position));
    }

    void voided(RaftEntry.Batch batch) {
        end(batch, new Fate.Void());
    }

    void refused(RaftEntry.Batch batch, CommandException reason) {
        end(batch, new Fate.Refused(reason));
    }

    private void end(RaftEntry.Batch batch, Fate fate) {
        Waiting ended;
        synchronized (this) {
            ended = waiting.remove(batch);
        }
        if (ended != null) {
            ended.proposals().forEach(proposal -> proposal.complete(fate));
        }
    }

    /** An entry of this term was applied: what waits of earlier ones is void. */
    void reached(long term) {
        List<CompletableFuture<Fate>> ended = new ArrayList<>();
        synchronized (this) {
            if (term <= reached) {
                return;
            }
            reached = term;
            for (Iterator<Waiting> all = waiting.values().iterator(); all.hasNext(); ) {
                Waiting each = all.next();
                if (each.term() < term) {
                    ended.addAll(each.proposals());
                    all.remove();
                }
            }
        }
        ended.forEach(proposal -> proposal.complete(new Fate.Void()));
    }

    /** Nobody here can tell any more: the state was replaced, or this member stops. */
    void unknown(String why) {
        List<Waiting> all;
        synchronized (this) {
            all = List.copyOf(waiting.values());
            waiting.clear();
        }
        CommandException reason =
                INTERRUPTED_DUE_TO_REPL_STATE_CHANGE.because("the result of the write is unknown: %s", why);
        all.forEach(each -> each.proposals().forEach(proposal -> proposal.completeExceptionally(reason)));
    }
}
