package io.ostraka.acceptance.histories;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import java.util.function.Consumer;

/** One transaction tried once, and what became of it as far as a client can know. */
final class Attempt {
    /** How it ended. */
    enum Outcome {
        COMMITTED,
        /** No commit was asked for, or it was refused: nothing of it may ever be seen. */
        ABORTED,
        UNKNOWN
    }

    /** How often a commit without an answer is asked for again, each time as long as the driver waits. */
    private static final int COMMITS = 4;

    private static final TransactionOptions OPTIONS = TransactionOptions.builder()
            .readConcern(ReadConcern.SNAPSHOT)
            .writeConcern(WriteConcern.MAJORITY)
            .build();

    private Attempt() {}

    /** Does {@code work} in a transaction of a session. A work that throws something else than a driver's exception ends it too. */
    static Outcome run(ClientSession session, Consumer<ClientSession> work) {
        session.startTransaction(OPTIONS);
        try {
            work.accept(session);
        } catch (MongoException refused) {
            session.abortTransaction();
            return Outcome.ABORTED;
        }
        for (int i = 0; i < COMMITS; i++) {
            try {
                session.commitTransaction();
                return Outcome.COMMITTED;
            } catch (MongoException e) {
                if (!e.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL)) {
                    return e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)
                            ? Outcome.ABORTED
                            : Outcome.UNKNOWN;
                }
                UnderFaults.afterRefusal();
            }
        }
        return Outcome.UNKNOWN;
    }

    static ClientSession session(MongoClient client) {
        return client.startSession(
                ClientSessionOptions.builder().causallyConsistent(true).build());
    }
}
