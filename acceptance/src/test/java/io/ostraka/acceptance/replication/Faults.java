package io.ostraka.acceptance.replication;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.bson.Document;

/** One fault after the other, by a seed; everything is well again when it returns. */
final class Faults {
    private enum Kind {
        KILL_PRIMARY,
        PAUSE_PRIMARY,
        CUT_PRIMARY,
        PAUSE_ANY,
        KILL_ALL
    }

    private static final long ASK_MILLIS = 1_000;

    private final MemberProcesses members;
    private final Random random;
    private final List<String> done = new ArrayList<>();

    Faults(MemberProcesses members, Random random) {
        this.members = members;
        this.random = random;
    }

    /** What was done, in order. */
    List<String> done() {
        return done;
    }

    void run(int seconds) {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() - end < 0) {
            pass(500, 3_000);
            Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            int any = random.nextInt(members.count());
            done.add(kind.name());
            switch (kind) {
                case KILL_PRIMARY -> {
                    int primary = primary(any);
                    members.kill(primary);
                    pass(0, 3_000);
                    members.restart(primary);
                }
                case PAUSE_PRIMARY -> pause(primary(any));
                case PAUSE_ANY -> pause(any);
                case CUT_PRIMARY -> {
                    int primary = primary(any);
                    members.proxy(primary).cut();
                    pass(500, 5_000);
                    members.proxy(primary).mend();
                }
                case KILL_ALL -> {
                    for (int i = 0; i < members.count(); i++) {
                        members.kill(i);
                    }
                    for (int i = 0; i < members.count(); i++) {
                        members.restart(i);
                    }
                }
            }
        }
    }

    private void pause(int number) {
        members.pause(number);
        pass(500, 5_000);
        members.goOn(number);
    }

    /** Faults keep their distance by the clock: it is what they are about. */
    private void pass(int leastMillis, int mostMillis) {
        long end = System.nanoTime() + (leastMillis + random.nextInt(mostMillis - leastMillis)) * 1_000_000L;
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    /** The member that leads; another where nobody is found to. */
    private int primary(int otherwise) {
        for (int i = 0; i < members.count(); i++) {
            try (MongoClient client = MongoClients.create(
                    members.direct(i) + "&serverSelectionTimeoutMS=" + ASK_MILLIS + "&socketTimeoutMS=" + ASK_MILLIS)) {
                Document hello = client.getDatabase("admin").runCommand(new Document("hello", 1));
                if (hello.getBoolean("isWritablePrimary")) {
                    return i;
                }
            } catch (MongoException notNow) {
                done.add("member " + i + " does not answer");
            }
        }
        return otherwise;
    }
}
