package io.ostraka.sharding.shard;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.time.Clock;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the config servers where this shard's members are, whenever that has changed. One thread, while it leads. */
public final class AddressNews implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(AddressNews.class);
    private static final long LOOKS_NANOS = 2_000_000_000;
    private static final long TELLS_MILLIS = 10_000;

    private final ConfigLink config;
    private final Supplier<Optional<ShardIdentity>> identity;
    private final Supplier<String> connectionString;
    private final Clock clock;
    private final Operation untilOver;

    /**
     * @param connectionString this shard's set, {@code set/host:port,host:port}, as it is at the moment
     * @param untilOver killed when this member leads no more
     */
    public AddressNews(
            ConfigLink config,
            Supplier<Optional<ShardIdentity>> identity,
            Supplier<String> connectionString,
            Clock clock,
            Operation untilOver) {
        this.config = config;
        this.identity = identity;
        this.connectionString = connectionString;
        this.clock = clock;
        this.untilOver = untilOver;
    }

    @Override
    public void run() {
        String told = "";
        try {
            while (true) {
                Optional<ShardIdentity> mine = identity.get();
                String now = connectionString.get();
                if (mine.isPresent() && !now.equals(told) && tell(mine.get(), now)) {
                    told = now;
                }
                boolean unused = untilOver.waitFor(new CompletableFuture<>(), LOOKS_NANOS);
            }
        } catch (CommandException over) {
            LOG.debug("the next primary tells where it is: {}", over.getMessage());
        }
    }

    private boolean tell(ShardIdentity mine, String now) {
        BsonDocument command = new BsonDocument("addShard", new BsonString(now))
                .append("name", new BsonString(mine.shard().name()));
        try {
            BsonDocument unused = config.call(command, Deadline.in(clock, TELLS_MILLIS));
            return true;
        } catch (CommandException notNow) {
            LOG.info("the config servers were not told where shard {} is: {}", mine.shard(), notNow.getMessage());
            untilOver.checkAlive();
            return false;
        }
    }
}
