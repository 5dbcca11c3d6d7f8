package io.ostraka.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.slf4j.event.KeyValuePair;

/** One event as one line. The key {@code id} is the message's number; other keys become {@code attr}. */
final class JsonLine {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd'T'HH:mm:ss.SSSxxx", Locale.ROOT)
            .withZone(ZoneId.systemDefault());
    private static final JsonWriterSettings COMPACT =
            JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();
    /** Characters of the component, as MongoDB shortens it. */
    private static final int COMPONENT = 8;

    private JsonLine() {}

    static String of(ILoggingEvent event) {
        BsonDocument attributes = new BsonDocument();
        int id = 0;
        String context = event.getThreadName().isEmpty() ? "main" : event.getThreadName();
        if (event.getKeyValuePairs() != null) {
            for (KeyValuePair pair : event.getKeyValuePairs()) {
                if (pair.key.equals("id")) {
                    id = Integer.parseInt(String.valueOf(pair.value));
                } else if (pair.key.equals("ctx")) {
                    context = String.valueOf(pair.value); // where programs that read logs look for it
                } else {
                    attributes.put(pair.key, value(pair.value));
                }
            }
        }
        if (event.getThrowableProxy() != null) {
            attributes.put("error", new BsonString(ThrowableProxyUtil.asString(event.getThrowableProxy())));
        }
        BsonDocument line = new BsonDocument(
                        "t",
                        new BsonDocument(
                                "$date", new BsonString(TIME.format(Instant.ofEpochMilli(event.getTimeStamp())))))
                .append("s", new BsonString(severity(event.getLevel())))
                .append("c", new BsonString(component(event.getLoggerName())))
                .append("id", new BsonInt32(id))
                .append("ctx", new BsonString(context))
                .append("msg", new BsonString(event.getFormattedMessage()));
        if (!attributes.isEmpty()) {
            line.append("attr", attributes);
        }
        return line.toJson(COMPACT);
    }

    private static BsonValue value(Object value) {
        return switch (value) {
            case null -> new BsonString("null");
            case BsonValue bson -> bson;
            case Integer number -> new BsonInt32(number);
            case Long number -> new BsonInt64(number);
            case Double number -> new BsonDouble(number);
            case Boolean flag -> BsonBoolean.valueOf(flag);
            default -> new BsonString(String.valueOf(value));
        };
    }

    private static String severity(Level level) {
        return switch (level.levelInt) {
            case Level.ERROR_INT -> "E";
            case Level.WARN_INT -> "W";
            case Level.DEBUG_INT -> "D1";
            case Level.TRACE_INT -> "D2";
            default -> "I";
        };
    }

    /** Loggers named like components are those; classes log under their module's. */
    private static String component(String logger) {
        if (!logger.contains(".")) {
            return logger;
        }
        String[] part = logger.split("\\.");
        String module = part.length > 2 ? part[2] : part[part.length - 1];
        String component = switch (module) {
            case "storage" -> "STORAGE";
            case "replication" -> "REPL";
            case "sharding", "router" -> "SHARDING";
            case "wire" -> "NETWORK";
            case "query" -> "QUERY";
            case "node" -> "COMMAND";
            default -> "CONTROL";
        };
        return component.length() > COMPONENT ? component.substring(0, COMPONENT) : component;
    }
}
