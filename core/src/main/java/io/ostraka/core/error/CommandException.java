package io.ostraka.core.error;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * The one exception a command ends with when it cannot do what was asked. It becomes the error reply
 * {@code {ok: 0, errmsg, code, codeName}}, with the fields of {@link #extra} and {@code errorLabels} beside them.
 */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final transient BsonDocument extra;
    private final List<String> labels;

    CommandException(ErrorCode code, String reason) {
        this(code, reason, new BsonDocument(), List.of(), null);
    }

    private CommandException(ErrorCode code, String reason, BsonDocument extra, List<String> labels, Throwable cause) {
        super(reason, cause);
        this.code = code;
        this.extra = extra;
        this.labels = List.copyOf(labels);
    }

    public ErrorCode code() {
        return code;
    }

    /** Fields that stand beside {@code errmsg} in the reply, as {@code keyPattern} does for a duplicate key. */
    public BsonDocument extra() {
        return extra;
    }

    public List<String> labels() {
        return labels;
    }

    /** The same error with more fields in its reply. */
    public CommandException with(BsonDocument fields) {
        BsonDocument all = extra.clone();
        all.putAll(fields);
        return new CommandException(code, getMessage(), all, labels, this);
    }

    /** The same error with one more label. */
    public CommandException labelled(String label) {
        List<String> all = new ArrayList<>(labels);
        if (!all.contains(label)) {
            all.add(label);
        }
        return new CommandException(code, getMessage(), extra, all, this);
    }

    /** The reply's body, without {@code $clusterTime} and {@code operationTime}. */
    public BsonDocument toReply() {
        BsonDocument reply = new BsonDocument("ok", new BsonDouble(0));
        reply.put("errmsg", new BsonString(getMessage()));
        reply.put("code", new BsonInt32(code.number()));
        reply.put("codeName", new BsonString(code.codeName()));
        extra.forEach(reply::putIfAbsent);
        if (!labels.isEmpty()) {
            BsonArray array = new BsonArray();
            labels.forEach(label -> array.add(new BsonString(label)));
            reply.put("errorLabels", array);
        }
        return reply;
    }

    /**
     * The error another process replied with.
     *
     * @param reply a body with {@code ok: 0}; an unknown number becomes {@link ErrorCode#UNKNOWN_ERROR}, with the number in the text
     */
    public static CommandException fromReply(BsonDocument reply) {
        int number = reply.containsKey("code") ? reply.getNumber("code").intValue() : 8;
        String text = reply.containsKey("errmsg") ? reply.getString("errmsg").getValue() : "no message";
        ErrorCode code = ErrorCode.of(number).orElse(ErrorCode.UNKNOWN_ERROR);
        if (code.number() != number) {
            text = text + " (code " + number + ")";
        }
        BsonDocument extra = reply.clone();
        for (String known :
                List.of("ok", "errmsg", "code", "codeName", "errorLabels", "$clusterTime", "operationTime")) {
            extra.remove(known);
        }
        List<String> labels = new ArrayList<>();
        if (reply.get("errorLabels") instanceof BsonArray array) {
            array.forEach(label -> labels.add(label.asString().getValue()));
        }
        return new CommandException(code, text, extra, labels, null);
    }
}
