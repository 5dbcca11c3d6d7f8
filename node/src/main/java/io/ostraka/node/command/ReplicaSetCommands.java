package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.NOT_YET_INITIALIZED;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.member.Member;
import io.ostraka.node.set.RaftMembers;
import io.ostraka.node.set.ReplicaSet;
import io.ostraka.node.set.SetConfig;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * A set and its members.
 *
 * <pre>
 * { replSetInitiate: config? }
 * { replSetGetStatus: 1 }  →  see {@link SetStatus}
 * { replSetGetConfig: 1 }  →  { config: { _id, version, term, members: [ … ], settings } }
 * { replSetReconfig: config, force: b?, maxTimeMS: n? }
 * { replSetStepDown: seconds, secondaryCatchUpPeriodSecs: n?, force: b? }
 * { replSetFreeze: seconds }
 * { _isSelf: 1 }  →  { id }
 * </pre>
 *
 * And what members ask each other: {@code _ostrakaRaft}, {@code _ostrakaPromise}, {@code _ostrakaJoin}, {@code _ostrakaNoop}, {@code _ostrakaMember}.
 */
final class ReplicaSetCommands {
    private static final long CATCH_UP_SECONDS = 10;

    private record Reconfig(SetConfig config, boolean force) {}

    private record StepDown(long seconds, long catchUpSeconds, boolean force) {}

    private record Join(String set, UUID incarnation, UUID leader, Optional<RawDocument> members) {}

    private record Promise(UUID maker, boolean give) {}

    private final Member member;
    private final ReplicaSet set;
    private final SetStatus status;

    ReplicaSetCommands(Member member) {
        this.member = member;
        set = member.set();
        status = new SetStatus(member);
    }

    List<Command<?>> all() {
        return List.of(
                SetCommand.admin("replSetInitiate", Needs.Kind.CONTROL, this::initiate, this::initiate),
                SetCommand.admin(
                        "replSetGetStatus",
                        Needs.Kind.STATELESS,
                        ReplicaSetCommands::statusFields,
                        (_, operation) -> status.of(operation)),
                SetCommand.admin(
                        "replSetGetConfig", Needs.Kind.STATELESS, ReplicaSetCommands::configFields, (_, _) -> config()),
                SetCommand.admin("replSetReconfig", Needs.Kind.CONTROL, this::reconfig, this::reconfig),
                SetCommand.admin("replSetStepDown", Needs.Kind.CONTROL, ReplicaSetCommands::stepDown, this::stepDown),
                SetCommand.admin("replSetFreeze", Needs.Kind.CONTROL, ReplicaSetCommands::seconds, this::freeze),
                new SetCommand<>("_isSelf", Needs.NOTHING, _ -> 1, (_, _) -> self()),
                SetCommand.internal("_ostrakaRaft", ReplicaSetCommands::body, this::raft),
                SetCommand.internal("_ostrakaJoin", ReplicaSetCommands::join, this::join),
                SetCommand.internal("_ostrakaPromise", ReplicaSetCommands::promise, this::promise),
                SetCommand.internal("_ostrakaNoop", _ -> 1, (_, operation) -> noop(operation)),
                SetCommand.internal(
                        "_ostrakaMember",
                        fields -> fields.string("expected").map(UUID::fromString),
                        (expected, _) -> set.about(expected)));
    }

    private Optional<SetConfig> initiate(Fields fields) {
        fields.ignoreUnknown();
        return fields.own() instanceof BsonDocument given && !given.isEmpty()
                ? Optional.of(SetConfig.of(given))
                : Optional.empty();
    }

    private BsonDocument initiate(Optional<SetConfig> config, Operation operation) {
        set.changes().initiate(config, operation);
        return new BsonDocument();
    }

    private static int statusFields(Fields fields) {
        fields.raw("initialSync");
        return 1;
    }

    private static int configFields(Fields fields) {
        fields.raw("commitmentStatus");
        return 1;
    }

    private BsonDocument config() {
        SetConfig config =
                set.config().orElseThrow(() -> NOT_YET_INITIALIZED.because("no replset config has been received"));
        return new BsonDocument("config", config.toBson());
    }

    private Reconfig reconfig(Fields fields) {
        return new Reconfig(SetConfig.of(fields.requiredOwnDocument().toBson()), fields.bool("force", false));
    }

    private BsonDocument reconfig(Reconfig request, Operation operation) {
        set.changes().reconfigure(request.config(), request.force(), operation);
        return new BsonDocument();
    }

    private static StepDown stepDown(Fields fields) {
        long seconds = seconds(fields);
        boolean force = fields.bool("force", false);
        long catchUp =
                fields.wholeNumber("secondaryCatchUpPeriodSecs", force ? 0 : Math.min(CATCH_UP_SECONDS, seconds));
        if (catchUp < 0) {
            throw BAD_VALUE.because("secondaryCatchUpPeriodSecs period must be a positive or absent");
        }
        if (seconds < catchUp) {
            throw BAD_VALUE.because("stepdown period must be longer than secondaryCatchUpPeriodSecs");
        }
        return new StepDown(seconds, catchUp, force);
    }

    private static long seconds(Fields fields) {
        long seconds = fields.own().isNumber() ? fields.own().asNumber().longValue() : 0;
        if (seconds < 0) {
            throw BAD_VALUE.because("a number of seconds is not negative");
        }
        return seconds;
    }

    private BsonDocument stepDown(StepDown request, Operation operation) {
        set.handOver().stepDown(request.catchUpSeconds() * 1000, request.seconds() * 1000, request.force(), operation);
        return new BsonDocument();
    }

    private BsonDocument freeze(long seconds, Operation operation) {
        set.handOver().freeze(seconds * 1000, operation);
        return new BsonDocument();
    }

    private BsonDocument self() {
        return new BsonDocument("id", new BsonString(member.stamp().memberId().toString()));
    }

    private static byte[] body(Fields fields) {
        return fields.requiredValue("body") instanceof BsonBinary body ? body.getData() : new byte[0];
    }

    private BsonDocument raft(byte[] request, Operation operation) {
        return new BsonDocument("ok", new BsonInt32(1)).append("body", new BsonBinary(set.answer(request)));
    }

    private BsonDocument noop(Operation operation) {
        member.noop(operation);
        return new BsonDocument();
    }

    private static Join join(Fields fields) {
        return new Join(
                fields.ownString(),
                UUID.fromString(fields.requiredString("incarnation")),
                UUID.fromString(fields.requiredString("leader")),
                fields.document("members"));
    }

    private BsonDocument join(Join request, Operation operation) {
        set.changes()
                .join(
                        request.set(),
                        request.incarnation(),
                        request.leader(),
                        request.members().map(members -> RaftMembers.of(members.toBson())),
                        operation);
        return new BsonDocument();
    }

    private static Promise promise(Fields fields) {
        return new Promise(UUID.fromString(fields.ownString()), fields.bool("give", true));
    }

    private BsonDocument promise(Promise request, Operation operation) {
        operation.checkAlive();
        set.changes().promise(request.maker(), request.give());
        return new BsonDocument();
    }
}
