package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.NOT_PRIMARY_NO_SECONDARY_OK;
import static io.ostraka.core.error.ErrorCode.NOT_PRIMARY_OR_SECONDARY;
import static io.ostraka.core.error.ErrorCode.NOT_WRITABLE_PRIMARY;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.member.Member;
import io.ostraka.node.set.MemberState;
import io.ostraka.node.set.ReplicaSet;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.CommandAround;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import org.bson.BsonString;

/**
 * A command that runs only where the member's state lets it: writes on the primary, reads there too, and on a secondary
 * if the request's read preference says so. A write waits for the members its write concern names.
 *
 * @param <R> the request
 */
record StateGate<R>(Command<R> inner, Member member) implements CommandAround<R> {
    /** Commands behind the gate. */
    static Command<?> of(Command<?> command, Member member) {
        return new StateGate<>(command, member);
    }

    @Override
    public RawDocument run(R request, Operation operation) {
        if (set().group().leadership().isEmpty()) {
            checkSecondary(operation);
        }
        RawDocument reply = inner.run(request, operation);
        if (!writes() || operation.options().writeConcern().isEmpty()) {
            return reply;
        }
        return new WriteConcern(set())
                .await(member.views().time(), operation)
                .map(error -> new RawBuilder()
                        .elements(reply)
                        .put("writeConcernError", RawDocument.of(error))
                        .build())
                .orElse(reply);
    }

    /** The end of a transaction is of another kind, so that it waits for no place among the running. */
    private boolean writes() {
        return needs().kind() == Needs.Kind.WRITE || needs().kind() == Needs.Kind.CONTROL && inTransactions();
    }

    private ReplicaSet set() {
        return member.set();
    }

    private void checkSecondary(Operation operation) {
        if (needs().kind() == Needs.Kind.WRITE) {
            throw NOT_WRITABLE_PRIMARY.because("not primary");
        }
        if (needs().kind() != Needs.Kind.READ) {
            return;
        }
        if (set().state() != MemberState.SECONDARY) {
            throw NOT_PRIMARY_OR_SECONDARY.because("node is not in primary or recovering state");
        }
        if (!allowsSecondary(operation)) {
            throw NOT_PRIMARY_NO_SECONDARY_OK.because("not primary and secondaryOk=false");
        }
    }

    private static boolean allowsSecondary(Operation operation) {
        return operation
                .options()
                .readPreference()
                .map(preference -> preference.get("mode"))
                .map(mode ->
                        !(mode instanceof BsonString text && text.getValue().equals("primary")))
                .orElse(false);
    }
}
