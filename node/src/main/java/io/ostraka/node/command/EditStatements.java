package io.ostraka.node.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.node.member.Member;
import io.ostraka.node.write.Editor;
import io.ostraka.node.write.HeldSession;
import io.ostraka.node.write.Recorded;
import io.ostraka.node.write.WriteError;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Runs the statements of an {@code update} or a {@code delete} one after the other, each at most once for its number,
 * and adds up what they answer. One thread, used once.
 */
final class EditStatements {
    /** One statement. */
    @FunctionalInterface
    interface Statement {
        /** @param recorded takes the result into the proposal of the write itself */
        Editor.Outcome run(int index, Recorded recorded);
    }

    private final Function<Editor.Outcome, RawDocument> result;
    private final Operation operation;
    private final List<RawDocument> upserted = new ArrayList<>();
    private final List<Integer> retried = new ArrayList<>();
    private final List<WriteError> errors = new ArrayList<>();
    private long n;
    private long modified;
    private int done;

    /** @param result what a statement answers, {@code {n, nModified?, _id?}}, and is answered again when it is retried */
    EditStatements(Function<Editor.Outcome, RawDocument> result, Operation operation) {
        this.result = result;
        this.operation = operation;
    }

    /**
     * Runs them.
     *
     * @throws CommandException what ends the whole command: the operation's end, or a stale placement under which
     *     nothing has been done yet
     */
    void run(Member member, int count, boolean ordered, Statement statement) {
        try (HeldSession session = member.sessions().hold(operation)) {
            for (int i = 0; i < count; i++) {
                try {
                    add(i, once(session, i, statement));
                } catch (CommandException refused) {
                    boolean nothingDone = done == 0 && errors.isEmpty();
                    if (WriteReply.endsAll(refused, operation)
                            || refused.code().kind() == ErrorCode.Kind.ROUTING && nothingDone) {
                        throw refused;
                    }
                    errors.add(new WriteError(i, refused));
                    if (ordered) {
                        return;
                    }
                }
            }
        }
    }

    private RawDocument once(HeldSession session, int index, Statement statement) {
        int number = operation.options().statement(index);
        Optional<RawDocument> first = session.first(number);
        if (first.isPresent()) {
            retried.add(number);
            return first.get();
        }
        RawDocument answer = result.apply(statement.run(index, Recorded.one(session, number, result)));
        session.idle(number, answer);
        return answer;
    }

    private void add(int index, RawDocument answer) {
        done++;
        n += answer.find("n").int32();
        RawCursor changed = answer.find("nModified");
        modified += changed == null ? 0 : changed.int32();
        RawCursor id = answer.find("_id");
        if (id != null) {
            upserted.add(new RawBuilder().put("index", index).element(id).build());
        }
    }

    /** @param tellsModified whether the reply says how many documents are other than before */
    RawDocument answer(boolean tellsModified) {
        RawBuilder reply = new RawBuilder().put("n", (int) n);
        if (tellsModified) {
            reply.put("nModified", (int) modified);
        }
        if (!upserted.isEmpty()) {
            reply.openArray("upserted");
            for (int i = 0; i < upserted.size(); i++) {
                reply.put(Integer.toString(i), upserted.get(i));
            }
            reply.close();
        }
        WriteReply.retried(reply, retried);
        return WriteReply.finish(reply, errors);
    }
}
