package io.ostraka.node.member;

import static io.ostraka.node.member.TestMember.USERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.node.view.View;
import io.ostraka.node.write.DocumentExpiry;
import io.ostraka.query.index.IndexDefinition;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Documents are deleted when their time has come, and others are not. */
@Timeout(60)
class DocumentExpiryTest {
    @TempDir
    Path folder;

    private static void index(TestMember test, String spec) {
        test.member()
                .indexes()
                .create(USERS, List.of(IndexDefinition.parse(TestMember.document(spec))), test.operation());
    }

    private static long expire(TestMember test) {
        return new DocumentExpiry(
                        test.member().parts(),
                        () -> test.member().context(() -> {}),
                        DocumentExpiry.PAUSE,
                        test.operation())
                .expire();
    }

    private static long count(TestMember test) {
        try (View view = test.member().view()) {
            return view.totals(view.catalog().get(USERS)).documents();
        }
    }

    @Test
    void whatIsOldGoes() {
        long now = io.ostraka.core.time.Clock.SYSTEM.wallMillis();
        try (TestMember test = new TestMember(folder.resolve("data"))) {
            index(test, "{key: {at: 1}, name: 'at_1', expireAfterSeconds: 100}");
            test.insert(
                    USERS,
                    "{_id: 1, at: {$date: {$numberLong: '" + (now - 200_000) + "'}}}",
                    "{_id: 2, at: {$date: {$numberLong: '" + (now - 20_000) + "'}}}",
                    "{_id: 3, at: [{$date: {$numberLong: '" + (now + 20_000) + "'}}, {$date: {$numberLong: '"
                            + (now - 200_000) + "'}}]}",
                    "{_id: 4}",
                    "{_id: 5, at: 5}",
                    "{_id: 6, at: null}");
            assertThat(expire(test)).isEqualTo(2);
            assertThat(count(test)).isEqualTo(4);
            assertThat(expire(test)).isZero();
        }
    }

    @Test
    void aPartialIndexDeletesOnlyItsOwn() {
        try (TestMember test = new TestMember(folder.resolve("data"))) {
            index(
                    test,
                    "{key: {at: -1}, name: 'at_1', expireAfterSeconds: 0, partialFilterExpression: {kind: 'short'}}");
            test.insert(
                    USERS,
                    "{_id: 1, kind: 'short', at: {$date: {$numberLong: '0'}}}",
                    "{_id: 2, kind: 'long', at: {$date: {$numberLong: '0'}}}");
            assertThat(expire(test)).isEqualTo(1);
            assertThat(count(test)).isEqualTo(1);
        }
    }
}
