package io.ostraka.wire.common;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.wire.command.Client;
import io.ostraka.wire.command.RetryLabels;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** One fail point {@code failCommand} that is on. Safe for many threads. */
final class FailCommand {
    /**
     * How often it fails what it meets.
     *
     * @param skip what it lets pass first
     * @param times what it fails then; 0 for nothing
     */
    record Mode(long skip, long times) {
        static Mode of(BsonValue mode) {
            if (mode.isString()) {
                return switch (mode.asString().getValue()) {
                    case "off" -> new Mode(0, 0);
                    case "alwaysOn" -> new Mode(0, Long.MAX_VALUE);
                    default ->
                        throw BAD_VALUE.because(
                                "unknown mode: %s", mode.asString().getValue());
                };
            }
            if (mode.isDocument() && mode.asDocument().isNumber("times")) {
                return new Mode(0, mode.asDocument().getNumber("times").longValue());
            }
            if (mode.isDocument() && mode.asDocument().isNumber("skip")) {
                return new Mode(mode.asDocument().getNumber("skip").longValue(), Long.MAX_VALUE);
            }
            throw FAILED_TO_PARSE.because("'mode' is \"off\", \"alwaysOn\", {times: n} or {skip: n}");
        }

        boolean isOff() {
            return times <= 0;
        }
    }

    private static final Set<String> ENDS = Set.of("commitTransaction", "abortTransaction");

    private final Set<String> commands;
    private final BsonDocument data;
    private long skip;
    private long left;
    private long entered;

    private FailCommand(Mode mode, Set<String> commands, BsonDocument data) {
        this.commands = commands;
        this.data = data;
        skip = mode.skip();
        left = mode.times();
    }

    static FailCommand of(Mode mode, BsonDocument data) {
        if (!data.isArray("failCommands")) {
            throw FAILED_TO_PARSE.because("'failCommands' is an array of names");
        }
        Set<String> commands = new HashSet<>();
        for (BsonValue name : data.getArray("failCommands")) {
            if (!name.isString()) {
                throw FAILED_TO_PARSE.because("'failCommands' is an array of names");
            }
            commands.add(name.asString().getValue());
        }
        if (isOn(data, "blockConnection") && !data.isNumber("blockTimeMS")) {
            throw FAILED_TO_PARSE.because("'blockConnection' needs 'blockTimeMS'");
        }
        return new FailCommand(mode, commands, data);
    }

    private static boolean isOn(BsonDocument data, String name) {
        return data.getBoolean(name, BsonBoolean.FALSE).getValue();
    }

    synchronized long entered() {
        return entered;
    }

    /** Whether this request is to fail; counted if it is. */
    synchronized boolean meets(String command, Client client) {
        boolean concerns = commands.contains(command)
                && (!client.ofCluster() || isOn(data, "failInternalCommands"))
                && (!data.containsKey("appName")
                        || data.getString("appName").getValue().equals(applicationOf(client)));
        if (!concerns || left <= 0) {
            return false;
        }
        if (skip > 0) {
            skip--;
            return false;
        }
        left--;
        entered++;
        return true;
    }

    private static String applicationOf(Client client) {
        return client.metadata()
                .map(metadata -> metadata.get("application"))
                .filter(BsonValue::isDocument)
                .map(application -> application.asDocument().get("name"))
                .filter(BsonValue::isString)
                .map(name -> name.asString().getValue())
                .orElse("");
    }

    OptionalLong blockMillis() {
        return isOn(data, "blockConnection")
                ? OptionalLong.of(data.getNumber("blockTimeMS").longValue())
                : OptionalLong.empty();
    }

    boolean closesConnection() {
        return isOn(data, "closeConnection");
    }

    /** The error it answers with, if it does, instead of running the command. */
    Optional<RawDocument> error(RawDocument request) {
        if (!data.isNumber("errorCode")) {
            return Optional.empty();
        }
        int number = data.getNumber("errorCode").intValue();
        BsonDocument reply = new BsonDocument("ok", new BsonDouble(0))
                .append("errmsg", new BsonString("Failing command via 'failCommand' failpoint"))
                .append("code", new BsonInt32(number))
                .append(
                        "codeName",
                        new BsonString(
                                ErrorCode.of(number).map(ErrorCode::codeName).orElse("Location" + number)));
        return Optional.of(RawDocument.of(labelled(reply, number, request)));
    }

    /** The reply of a command that has run, with the write concern error it adds, if it does. */
    RawDocument withConcernError(RawDocument reply, RawDocument request) {
        if (!data.isDocument("writeConcernError")) {
            return reply;
        }
        BsonDocument error = data.getDocument("writeConcernError");
        BsonDocument more = new BsonDocument("writeConcernError", error);
        int number = error.isNumber("code") ? error.getNumber("code").intValue() : 0;
        return FailPoints.with(reply, labelled(more, number, request));
    }

    /** With the labels it was given, or those the command would have had by itself. */
    private BsonDocument labelled(BsonDocument reply, int number, RawDocument request) {
        BsonArray labels = data.isArray("errorLabels") ? data.getArray("errorLabels") : own(number, request);
        if (!labels.isEmpty()) {
            reply.append("errorLabels", labels);
        }
        return reply;
    }

    private static BsonArray own(int number, RawDocument request) {
        BsonArray labels = new BsonArray();
        Optional<ErrorCode> code = ErrorCode.of(number);
        if (code.isEmpty() || request.find("txnNumber") == null) {
            return labels;
        }
        boolean isStatement = request.find("autocommit") != null && !ENDS.contains(request.firstName());
        if (isStatement && RetryLabels.isTransient(code.get())) {
            labels.add(new BsonString(RetryLabels.TRANSIENT));
        } else if (!isStatement && RetryLabels.isRetryable(code.get())) {
            labels.add(new BsonString(RetryLabels.RETRYABLE));
        }
        return labels;
    }
}
