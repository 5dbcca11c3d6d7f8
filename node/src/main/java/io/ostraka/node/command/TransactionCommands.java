package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.member.Member;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;

/**
 * {@code commitTransaction} and {@code abortTransaction}. Both may be sent again, and answer the same.
 *
 * <pre>{ commitTransaction | abortTransaction: 1, lsid, txnNumber, autocommit: false, recoveryToken? }  →  { }</pre>
 */
final class TransactionCommands {
    private final Member member;

    TransactionCommands(Member member) {
        this.member = member;
    }

    List<Command<?>> all() {
        return List.of(new End("commitTransaction", true), new End("abortTransaction", false));
    }

    private final class End implements Command<RawDocument> {
        private final String name;
        private final boolean commits;

        End(String name, boolean commits) {
            this.name = name;
            this.commits = commits;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Needs needs() {
            return new Needs("none", Needs.Scope.NONE, true, false, Needs.Kind.CONTROL);
        }

        @Override
        public boolean inTransactions() {
            return true;
        }

        @Override
        public RawDocument parse(Fields fields) {
            fields.raw("recoveryToken");
            return RawDocument.EMPTY;
        }

        @Override
        public RawDocument run(RawDocument request, Operation operation) {
            if (operation.options().transaction() != Operation.InTransaction.CONTINUES) {
                throw INVALID_OPTIONS.because(
                        "'%s' must be run within a transaction: with lsid, txnNumber and" + " autocommit: false", name);
            }
            if (commits) {
                member.transactions().commit(member.parts(), operation);
            } else {
                member.transactions().abort(member.parts(), operation);
            }
            return RawDocument.EMPTY;
        }
    }
}
