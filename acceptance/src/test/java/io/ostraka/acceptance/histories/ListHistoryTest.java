package io.ostraka.acceptance.histories;

import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.acceptance.histories.Attempt.Outcome;
import io.ostraka.acceptance.histories.ListHistory.Op;
import io.ostraka.acceptance.histories.ListHistory.Txn;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The judge of histories must see each anomaly, and pass what snapshot isolation allows. */
class ListHistoryTest {
    private static Op append(int key, int value) {
        return new Op.Append(key, value);
    }

    private static Op read(int key, Integer... values) {
        return new Op.Read(key, List.of(values));
    }

    private static Txn txn(int client, Op... ops) {
        return new Txn(client, List.of(ops), Outcome.COMMITTED);
    }

    private static List<String> judge(List<Op> end, Txn... history) {
        return new ListHistory(List.of(history), end).anomalies();
    }

    @Test
    void transactionsOneAfterTheOtherAreWell() {
        assertThat(judge(
                        List.of(read(1, 10, 11), read(2, 20)),
                        txn(0, append(1, 10), read(1, 10)),
                        txn(1, read(1, 10), append(2, 20)),
                        txn(0, read(2, 20), append(1, 11), read(1, 10, 11))))
                .isEmpty();
    }

    @Test
    void writeSkewIsWhatSnapshotIsolationAllows() {
        assertThat(judge(
                        List.of(read(1, 10), read(2, 20)),
                        txn(0, read(1), read(2), append(1, 10)),
                        txn(1, read(1), read(2), append(2, 20))))
                .isEmpty();
    }

    @Test
    void anUnknownOutcomeMayBeEither() {
        Txn unknown = new Txn(1, List.of(append(1, 10)), Outcome.UNKNOWN);
        assertThat(judge(List.of(read(1, 10)), unknown)).isEmpty();
        assertThat(judge(List.of(), unknown)).isEmpty();
    }

    @Test
    void aLostAppendIsFound() {
        assertThat(judge(List.of(read(1, 10)), txn(0, append(1, 10)), txn(1, append(1, 11))))
                .singleElement()
                .asString()
                .contains("11 was lost");
    }

    @Test
    void anAppendOfAnAbortedTransactionIsFound() {
        assertThat(judge(List.of(read(1, 10)), new Txn(0, List.of(append(1, 10)), Outcome.ABORTED)))
                .singleElement()
                .asString()
                .contains("aborted");
    }

    @Test
    void anAppendDoneTwiceIsFound() {
        assertThat(judge(List.of(read(1, 10, 10)), txn(0, append(1, 10))))
                .singleElement()
                .asString()
                .contains("twice");
    }

    @Test
    void aReadOfWhatNeverWasIsFound() {
        assertThat(judge(List.of(read(1, 10, 11)), txn(0, append(1, 10)), txn(1, append(1, 11)), txn(2, read(1, 11))))
                .singleElement()
                .asString()
                .contains("never was");
    }

    @Test
    void aReadOfHalfATransactionIsFound() {
        assertThat(judge(List.of(read(1, 10, 11)), txn(0, append(1, 10), append(1, 11)), txn(1, read(1, 10))))
                .singleElement()
                .asString()
                .contains("a part of");
    }

    @Test
    void aLostUpdateIsACycle() {
        assertThat(judge(List.of(read(1, 10, 11)), txn(0, read(1), append(1, 10)), txn(1, read(1), append(1, 11))))
                .singleElement()
                .asString()
                .startsWith("a cycle");
    }

    @Test
    void aSnapshotTornBetweenTwoListsIsACycle() {
        assertThat(judge(
                        List.of(read(1, 10), read(2, 20)),
                        txn(0, append(1, 10), append(2, 20)),
                        txn(1, read(1, 10), read(2))))
                .singleElement()
                .asString()
                .startsWith("a cycle");
    }

    @Test
    void aSessionThatGoesBackIsACycle() {
        assertThat(judge(List.of(read(1, 10)), txn(0, append(1, 10)), txn(0, read(1))))
                .singleElement()
                .asString()
                .startsWith("a cycle");
    }

    @Test
    void twoSnapshotsThatDisagreeOnTheOrderAreACycle() {
        assertThat(judge(
                        List.of(read(1, 10), read(2, 20)),
                        txn(0, append(1, 10)),
                        txn(1, append(2, 20)),
                        txn(2, read(1, 10), read(2)),
                        txn(3, read(1), read(2, 20))))
                .singleElement()
                .asString()
                .startsWith("a cycle");
    }
}
