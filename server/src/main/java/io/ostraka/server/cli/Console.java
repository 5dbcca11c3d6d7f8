package io.ostraka.server.cli;

import io.ostraka.core.Allowed;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The program's standard streams, its end, and what ends it. */
@Allowed("the one place of a program that owns its JVM")
final class Console {
    private static final Logger LOG = LoggerFactory.getLogger("CONTROL");

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

    /**
     * Does something at each SIGUSR1, where there is such a signal and the JVM lets programs have it; elsewhere nothing.
     * The class for it is none of Java's published ones, so it is looked for by its name.
     */
    void onUserSignal(Runnable work) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object runs = Proxy.newProxyInstance(
                    Console.class.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                        switch (method.getName()) {
                            case "handle" -> work.run();
                            case "equals" -> {
                                return System.identityHashCode(self) == System.identityHashCode(arguments[0]);
                            }
                            case "hashCode" -> {
                                return System.identityHashCode(self);
                            }
                            default -> {
                                return "SIGUSR1";
                            }
                        }
                        return null;
                    });
            Object unused = signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("USR1"), runs);
        } catch (ReflectiveOperationException | IllegalArgumentException none) {
            LOG.debug("SIGUSR1 cannot be had here; use the logRotate command", none);
        }
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
