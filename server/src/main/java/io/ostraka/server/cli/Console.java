package io.ostraka.server.cli;

import io.ostraka.core.Allowed;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The program's standard streams, its end, and what ends it. */
@Allowed("the one place of a program that owns its JVM")
final class Console {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicInteger code = new AtomicInteger();

    PrintStream out() {
        return System.out;
    }

    PrintStream err() {
        return System.err;
    }

    /** Lets Ctrl-C and SIGTERM ask for the end and wait for it, at most so long. */
    void catchSignals(long seconds) {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            asked.countDown();
                            try {
                                if (!ended.await(seconds, TimeUnit.SECONDS)) {
                                    System.err.println("ostraka: stopping took longer than " + seconds
                                            + " s; ended without waiting");
                                    return;
                                }
                                // A JVM that a signal ends exits with the signal's number; launchers expect what was
                                // decided.
                                System.out.flush();
                                Runtime.getRuntime().halt(code.get());
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        },
                        "shutdown"));
    }

    /** Asks for the end. */
    void stop() {
        asked.countDown();
    }

    /** Waits until somebody asked for the end. */
    void awaitStop() {
        try {
            asked.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void exit(ExitCode with) {
        code.set(with.number());
        ended.countDown();
        System.exit(with.number());
    }

    /** A property of the JVM, for what the launcher tells. */
    String property(String name, String otherwise) {
        return System.getProperty(name, otherwise);
    }
}
