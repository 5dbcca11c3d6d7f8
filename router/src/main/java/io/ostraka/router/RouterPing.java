package io.ostraka.router;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.time.Clock;
import io.ostraka.router.remote.ConfigServers;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.common.ProcessInfo;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the config servers every ten seconds that this router lives: its row in {@code config.mongos}. */
final class RouterPing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RouterPing.class);
    private static final long EVERY_SECONDS = 10;
    private static final long ANSWERS_MILLIS = 5_000;

    private final ConfigServers config;
    private final ProcessInfo process;
    private final Clock clock;
    private final long created;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    RouterPing(ConfigServers config, ProcessInfo process, Clock clock) {
        this.config = config;
        this.process = process;
        this.clock = clock;
        this.created = clock.wallMillis();
        this.thread = Thread.ofVirtual().name("router ping").start(this::run);
    }

    private void run() {
        try {
            do {
                ping();
            } while (!closed.await(EVERY_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void ping() {
        try {
            BsonDocument row = new BsonDocument(
                            "up", new BsonInt64((clock.nanos() - process.startedNanos()) / 1_000_000_000))
                    .append("waiting", BsonBoolean.TRUE)
                    .append("mongoVersion", new BsonString(ProcessInfo.COMPATIBLE_VERSION))
                    .append("created", new BsonDateTime(created))
                    .append("advisoryHostFQDNs", new BsonArray());
            BsonDocument command =
                    new BsonDocument("_configsvrRouterPing", new BsonString(process.host())).append("row", row);
            BsonDocument reply =
                    config.ask(command, Operation.ofProcess("ping", "admin", Deadline.in(clock, ANSWERS_MILLIS)));
            LOG.trace("the config servers know this router: {}", reply);
        } catch (CommandException away) {
            LOG.debug("the config servers do not answer the ping", away);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        thread.interrupt();
        try {
            if (!thread.join(java.time.Duration.ofSeconds(2))) {
                LOG.debug("the last ping is still under way");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
