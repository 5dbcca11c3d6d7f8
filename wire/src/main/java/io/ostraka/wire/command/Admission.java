package io.ostraka.wire.command;

import static io.ostraka.core.error.ErrorCode.MAX_TIME_MS_EXPIRED;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The bound on requests that run at once. Requests beyond it wait in line, within their deadline; control commands
 * and those that look at nothing stored never wait, so a full server can still be looked at and stopped. Requests
 * from processes of the same cluster have a bound of their own, or a router's requests could wait behind those that
 * wait for them.
 */
public final class Admission {
    /** A place in the bound, given back by {@link #close}. */
    public interface Seat extends AutoCloseable {
        @Override
        void close();
    }

    private static final Seat FREE = () -> {};
    private static final long WAITS_AT_MOST_MILLIS = 60_000;

    private final Semaphore clients;
    private final Semaphore cluster;

    /**
     * @param ofClients requests of clients at once
     * @param ofCluster requests of the cluster's own processes at once
     */
    public Admission(int ofClients, int ofCluster) {
        clients = new Semaphore(ofClients, true);
        cluster = new Semaphore(ofCluster, true);
    }

    /** 1 000 for clients and ten times as many from within the cluster. */
    public static Admission standard() {
        return new Admission(1_000, 10_000);
    }

    Seat enter(Needs.Kind kind, Operation operation) {
        switch (kind) {
            case STATELESS, CONTROL -> {
                return FREE;
            }
            case READ, WRITE -> {
                Semaphore seats = operation.client().ofCluster() ? cluster : clients;
                if (!seats.tryAcquire()) {
                    waitFor(seats, operation);
                }
                return seats::release;
            }
        }
        throw new IllegalStateException("a command is of one kind");
    }

    private static void waitFor(Semaphore seats, Operation operation) {
        try {
            long nanos = operation.deadline().atMost(WAITS_AT_MOST_MILLIS).nanosLeft();
            if (!seats.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
                throw MAX_TIME_MS_EXPIRED.because("the server is busy: no place among its running requests came free");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            operation.checkAlive();
            throw io.ostraka.core.error.ErrorCode.INTERRUPTED.because("operation was interrupted");
        }
    }
}
