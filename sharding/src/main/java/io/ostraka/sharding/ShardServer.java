package io.ostraka.sharding;

import io.ostraka.core.placement.Namespace;
import io.ostraka.core.time.Clock;
import io.ostraka.node.member.Member;
import io.ostraka.node.view.View;
import io.ostraka.replication.Leadership;
import io.ostraka.sharding.mover.MoveLimits;
import io.ostraka.sharding.mover.Mover;
import io.ostraka.sharding.mover.MoverParts;
import io.ostraka.sharding.shard.AddressNews;
import io.ostraka.sharding.shard.ConfigLink;
import io.ostraka.sharding.shard.HasRunCommand;
import io.ostraka.sharding.shard.MoveRows;
import io.ostraka.sharding.shard.PlacementCommands;
import io.ostraka.sharding.shard.PlacementRefresher;
import io.ostraka.sharding.shard.RangeDeleter;
import io.ostraka.sharding.shard.ShardGuard;
import io.ostraka.sharding.shard.ShardIdentity;
import io.ostraka.sharding.shard.SplitCommand;
import io.ostraka.sharding.shard.Splitter;
import io.ostraka.sharding.shard.StoredRows;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A shard, put together around an open member: the guard, the mover, the splitter, the range deleter. One for each time this
 * member leads, and one for each time it follows, so that none remembers what another leader may have changed.
 */
public final class ShardServer implements AutoCloseable {
    /** Where the identity is stored. */
    private static final Namespace VERSIONS = new Namespace("admin", "system.version");

    /**
     * What it is made of.
     *
     * @param guard the guard the member was opened with; opened here, also again
     * @param client speaks to config servers and other shards; owned by the caller
     * @param orphanDelayMillis how long documents stay that a move left behind
     */
    public record Parts(Member member, ShardGuard guard, ClusterClient client, Clock clock, long orphanDelayMillis) {}

    private final Member member;
    private final AtomicReference<ShardIdentity> identity = new AtomicReference<>();
    private final Clock clock;
    private final ConfigLink config;
    private final PlacementCommands placement;
    private final Mover mover;
    private final Splitter splitter;
    private final RangeDeleter deleter;

    public ShardServer(Parts parts) {
        member = parts.member();
        clock = parts.clock();
        config = new ConfigLink(parts.client(), this::identity);
        PlacementRefresher refresher =
                new PlacementRefresher(member, config, this::identity, parts.clock(), parts.orphanDelayMillis());
        deleter = new RangeDeleter(member, parts.clock(), RangeDeleter.Limits.DEFAULT);
        mover = new Mover(
                new MoverParts(member, parts.client(), config, refresher, deleter, parts.clock(), MoveLimits.DEFAULT));
        splitter = new Splitter(member, refresher, config, this::identity, parts.clock(), Splitter.Limits.DEFAULT);
        placement = new PlacementCommands(member, refresher, parts.guard(), new Identities(), deleter);
        member.keepOplogFrom(this::followedFrom);
        parts.guard().open(new ShardGuard.Parts(member, refresher, config, this::identity, splitter));
    }

    /** The least T0 of the moves out of this shard, whose rows must stay; -1 for none. */
    private long followedFrom() {
        try (View view = member.view()) {
            return StoredRows.all(view, MoveRows.DONATIONS).stream()
                    .mapToLong(row -> row.getInt64("t0").getValue())
                    .min()
                    .orElse(-1);
        }
    }

    /** Begins the background work, on the primary. */
    public void start(Leadership leadership) {
        deleter.start();
        splitter.start();
        Thread.ofVirtual()
                .name("address-news")
                .start(new AddressNews(
                        config, this::identity, member.set()::connectionString, clock, member.during(leadership)));
    }

    /** Which shard this is, once it has joined a cluster. */
    public Optional<ShardIdentity> identity() {
        ShardIdentity known = identity.get();
        if (known == null) {
            // Stored by whoever was asked to join, here or on the primary of the time.
            try (View view = member.view()) {
                known = StoredRows.get(view, VERSIONS, ShardIdentity.ID)
                        .map(ShardIdentity::of)
                        .orElse(null);
            }
            identity.set(known);
        }
        return Optional.ofNullable(known);
    }

    /** The commands of a shard, beside those of every member. */
    public List<Command<?>> commands() {
        List<Command<?>> all = new ArrayList<>(placement.all());
        all.addAll(mover.commands());
        all.add(SplitCommand.of(splitter, member));
        all.add(HasRunCommand.of(member));
        return all;
    }

    private final class Identities implements PlacementCommands.Identities {
        @Override
        public Optional<ShardIdentity> get() {
            return identity();
        }

        @Override
        public void put(ShardIdentity mine, Operation operation) {
            member.transact(List.of(VERSIONS), List.of(), operation, evaluation -> {
                evaluation.put(VERSIONS, mine.toBson());
                return null;
            });
            identity.set(mine);
        }
    }

    /** Stops the background work; moves under way go on when the shard is back. The member is closed by its owner. */
    @Override
    public void close() {
        splitter.close();
        mover.close();
        deleter.close();
    }
}
