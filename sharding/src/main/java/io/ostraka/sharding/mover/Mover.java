package io.ostraka.sharding.mover;

import static io.ostraka.core.error.ErrorCode.HOST_UNREACHABLE;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_SHARDED;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.view.View;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.sharding.catalog.MovePlan;
import io.ostraka.sharding.command.InternalCommand;
import io.ostraka.sharding.shard.KnownPlacement;
import io.ostraka.sharding.shard.MoveRows;
import io.ostraka.sharding.shard.StoredRows;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The moves of one shard, out of it and to it, and the commands they need.
 *
 * <pre>
 * { _shardsvrMoveRange: "db.coll", plan: {}, toHosts: [host ...] }   →  { decision, reason }     (config → donor)
 * { _shardsvrReceive: "db.coll", plan: {}, from: host, t0, key, options, indexes }  →  { }       (donor → recipient)
 * { _shardsvrMovePage: uuid, after: BinData? }                        →  see DonationFeed        (recipient → donor)
 * { _shardsvrMoveRows: uuid, after: time, drained, documents, bytes } →  see DonationFeed        (recipient → donor)
 * { _shardsvrMoveSessions: uuid, after: BinData? }                    →  see DonationFeed        (recipient → donor)
 * { _shardsvrReceiveFailed: uuid, error: {} }                         →  { }                     (recipient → donor)
 * { _shardsvrReceived: "db.coll", plan: {} }                          →  { }                     (donor → recipient)
 * { _shardsvrAbortReceive: "db.coll", plan: {} }                      →  { }                     (config → recipient)
 * </pre>
 */
public final class Mover implements AutoCloseable {
    private final MoverParts parts;
    private final Map<UUID, Donation> donations = new ConcurrentHashMap<>();
    private final Map<UUID, CompletableFuture<Donation.Outcome>> running = new ConcurrentHashMap<>();
    private final Map<UUID, Receipt> receipts = new ConcurrentHashMap<>();

    public Mover(MoverParts parts) {
        this.parts = parts;
    }

    private record MoveRequest(MovePlan plan, List<String> hosts) {}

    private record PageRequest(UUID plan, Optional<byte[]> after) {}

    private record RowsRequest(UUID plan, DonationFeed.RowsRequest rows) {}

    private record FailedRequest(UUID plan, BsonDocument error) {}

    private record ReceiveRequest(
            MovePlan plan, String donor, long t0, ShardKey key, BsonDocument options, List<IndexDefinition> indexes) {}

    public List<Command<?>> commands() {
        return List.of(
                InternalCommand.of(
                        "_shardsvrMoveRange",
                        Needs.Kind.CONTROL,
                        fields -> new MoveRequest(plan(fields), hosts(fields)),
                        this::move),
                InternalCommand.of("_shardsvrReceive", Needs.Kind.CONTROL, Mover::receiveRequest, this::receive),
                new Feed<>(
                        "_shardsvrMovePage",
                        fields -> new PageRequest(
                                fields.own().asBinary().asUuid(),
                                fields.value("after")
                                        .map(after -> after.asBinary().getData())),
                        (request, _) -> feed(request.plan).page(request.after)),
                new Feed<>(
                        "_shardsvrMoveRows",
                        fields -> new RowsRequest(
                                fields.own().asBinary().asUuid(),
                                new DonationFeed.RowsRequest(
                                        fields.wholeNumber("after", 0),
                                        fields.bool("drained", false),
                                        fields.wholeNumber("documents", 0),
                                        fields.wholeNumber("bytes", 0))),
                        (request, operation) -> feed(request.plan).rows(request.rows, operation)),
                new Feed<>(
                        "_shardsvrMoveSessions",
                        fields -> new PageRequest(
                                fields.own().asBinary().asUuid(),
                                fields.value("after")
                                        .map(after -> after.asBinary().getData())),
                        (request, _) -> feed(request.plan).sessions(request.after.map(RecordId::of))),
                InternalCommand.of(
                        "_shardsvrReceiveFailed",
                        Needs.Kind.CONTROL,
                        fields -> new FailedRequest(
                                fields.own().asBinary().asUuid(),
                                fields.requiredDocument("error").toBson()),
                        this::failed),
                InternalCommand.of("_shardsvrReceived", Needs.Kind.CONTROL, Mover::plan, this::received),
                InternalCommand.of("_shardsvrAbortReceive", Needs.Kind.CONTROL, Mover::plan, this::abortReceive));
    }

    private static MovePlan plan(Fields fields) {
        return MovePlan.of(fields.requiredDocument("plan").toBson());
    }

    private static List<String> hosts(Fields fields) {
        return fields.array("toHosts").stream()
                .map(host -> host.asString().getValue())
                .toList();
    }

    private static ReceiveRequest receiveRequest(Fields fields) {
        List<IndexDefinition> indexes = new ArrayList<>();
        for (BsonValue index : fields.array("indexes")) {
            indexes.add(IndexDefinition.parse(RawDocument.of(index.asDocument())));
        }
        return new ReceiveRequest(
                plan(fields),
                fields.requiredString("from"),
                fields.wholeNumber("t0", 0),
                ShardKey.parse(fields.requiredDocument("key").toBson()),
                fields.requiredDocument("options").toBson(),
                indexes);
    }

    private static KeyRange range(ShardKey key, MovePlan plan) {
        return new KeyRange(key.encodeBound(plan.min()), key.encodeBound(plan.max()));
    }

    private BsonDocument move(MoveRequest request, Operation operation) {
        CompletableFuture<Donation.Outcome> outcome = running.computeIfAbsent(request.plan.id(), _ -> start(request));
        Donation.Outcome ended = operation.await(outcome);
        return new BsonDocument("decision", new BsonString(ended.decision().name()))
                .append("reason", new BsonString(ended.reason()));
    }

    private CompletableFuture<Donation.Outcome> start(MoveRequest request) {
        CompletableFuture<Donation.Outcome> outcome = new CompletableFuture<>();
        Thread ignored = Thread.ofVirtual().name("move " + request.plan.id()).start(() -> {
            try {
                outcome.complete(donation(request).run());
            } catch (RuntimeException e) {
                outcome.completeExceptionally(e);
            } finally {
                running.remove(request.plan.id(), outcome);
                donations.remove(request.plan.id());
            }
        });
        return outcome;
    }

    private Donation donation(MoveRequest request) {
        MovePlan plan = request.plan;
        KnownPlacement placement = parts.refresher().refresh(plan.namespace(), parts.operation("moveRange"));
        ShardKey key = placement
                .table()
                .filter(table -> table.head().uuid().equals(plan.uuid()))
                .orElseThrow(() -> NAMESPACE_NOT_SHARDED.because(
                        "'%s' is not the collection the move was planned for any more", plan.namespace()))
                .key();
        String self = parts.member().settings().address().get();
        Donation donation = new Donation(parts, plan, range(key, plan), request.hosts, self);
        donations.put(plan.id(), donation);
        return donation;
    }

    private DonationFeed feed(UUID plan) {
        return new DonationFeed(parts, donation(plan));
    }

    private Donation donation(UUID plan) {
        Donation donation = donations.get(plan);
        if (donation == null) {
            // Not an error of the user's kind: the job may be about to start again.
            throw HOST_UNREACHABLE.because("no job for the move %s is running here", plan);
        }
        return donation;
    }

    private BsonDocument failed(FailedRequest request, Operation operation) {
        donation(request.plan).pull().failed(CommandException.fromReply(request.error));
        return new BsonDocument();
    }

    private BsonDocument receive(ReceiveRequest request, Operation operation) {
        Receipt running = receipts.get(request.plan.id());
        if (running != null && running.isRunning()) {
            return new BsonDocument();
        }
        Receipt receipt = new Receipt(
                parts,
                new Receipt.Request(
                        request.plan,
                        range(request.key, request.plan),
                        request.key,
                        request.donor,
                        request.t0,
                        request.options,
                        request.indexes));
        receipt.prepare();
        Receipt other = receipts.put(request.plan.id(), receipt);
        if (other != null) {
            other.stop();
        }
        receipt.start();
        return new BsonDocument();
    }

    private void stopReceiving(MovePlan plan) {
        Receipt receipt = receipts.remove(plan.id());
        if (receipt != null) {
            receipt.stop();
        }
    }

    private Optional<BsonDocument> stored(MovePlan plan) {
        try (View view = parts.member().view()) {
            return StoredRows.get(view, MoveRows.RECEIPTS, new BsonBinary(plan.id()));
        }
    }

    private BsonDocument received(MovePlan plan, Operation operation) {
        stopReceiving(plan);
        if (stored(plan).isPresent()) {
            KnownPlacement ignored = parts.refresher().refresh(plan.namespace(), operation);
            forget(plan, operation);
        }
        return new BsonDocument();
    }

    private BsonDocument abortReceive(MovePlan plan, Operation operation) {
        stopReceiving(plan);
        Optional<BsonDocument> row = stored(plan);
        if (row.isPresent()) {
            boolean isHere = parts.member()
                    .views()
                    .catalog()
                    .find(plan.uuid())
                    .map(CollectionEntry::namespace)
                    .isPresent();
            if (isHere) {
                parts.deleter().schedule(plan.id(), plan.namespace(), plan.uuid(), MoveRows.range(row.get()));
            }
            forget(plan, operation);
        }
        return new BsonDocument();
    }

    private void forget(MovePlan plan, Operation operation) {
        Namespace map = Receipt.map(plan);
        parts.member().transact(List.of(MoveRows.RECEIPTS), List.of(), operation, evaluation -> {
            boolean ignored = evaluation.delete(MoveRows.RECEIPTS, new BsonBinary(plan.id()));
            return null;
        });
        boolean ignored = parts.member().collections().drop(map, operation);
    }

    /** Moves out of this shard that are under way. */
    public int active() {
        return donations.size();
    }

    @Override
    public void close() {
        donations.values().forEach(Donation::close);
        receipts.values().forEach(Receipt::stop);
    }

    /** A command whose reply is made as raw bytes. */
    private record Feed<R>(String name, Function<Fields, R> grammar, BiFunction<R, Operation, RawDocument> rule)
            implements Command<R> {
        @Override
        public Needs needs() {
            return Needs.internal(Needs.Kind.CONTROL);
        }

        @Override
        public R parse(Fields fields) {
            return grammar.apply(fields);
        }

        @Override
        public RawDocument run(R request, Operation operation) {
            return rule.apply(request, operation);
        }
    }
}
