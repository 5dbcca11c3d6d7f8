package io.ostraka.node.member;

import static io.ostraka.core.error.ErrorCode.INTERRUPTED;
import static io.ostraka.node.member.TestMember.USERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.core.time.Clock;
import io.ostraka.node.view.OplogReader;
import io.ostraka.node.view.View;
import io.ostraka.node.write.OplogTrim;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class OplogTrimTest {
    private static final int PADDING = 100_000;

    @TempDir
    Path folder;

    private static long oldest(TestMember test) {
        try (View view = test.member().view()) {
            return OplogReader.oldest(view);
        }
    }

    private static void write(TestMember test, int from, int to) {
        for (int i = from; i < to; i++) {
            test.insert(USERS, "{_id: " + i + ", pad: '" + "x".repeat(PADDING) + "'}");
        }
    }

    @Test
    void oldRowsGoButNotThoseSomebodyFollows() throws InterruptedException {
        try (TestMember test = new TestMember(folder.resolve("data"))) {
            write(test, 0, 10);
            long followed = test.member().views().time();
            Operation operation = test.member().internal("trim", Deadline.never(Clock.SYSTEM));
            OplogTrim trim = new OplogTrim(
                    test.member().parts(),
                    test.member().engine(),
                    new OplogTrim.Limits(2_000_000, 500_000),
                    () -> followed,
                    operation);
            Thread thread = Thread.ofPlatform().start(trim);
            long before = oldest(test);
            int next = 10;
            while (oldest(test) == before) {
                write(test, next, next + 5);
                next += 5;
            }
            write(test, next, next + 30);
            assertThat(oldest(test)).isGreaterThan(before).isLessThanOrEqualTo(followed);
            operation.kill(INTERRUPTED.because("the test is over"));
            thread.join();
        }
    }
}
