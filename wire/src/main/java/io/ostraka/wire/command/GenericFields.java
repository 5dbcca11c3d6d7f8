package io.ostraka.wire.command;

import static io.ostraka.core.error.ErrorCode.API_VERSION_ERROR;
import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.IDL_FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.INCOMPATIBLE_SERVER_VERSION;
import static io.ostraka.core.error.ErrorCode.INVALID_NAMESPACE;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonTimestamp;
import org.bson.BsonType;
import org.bson.BsonValue;

/** The fields every command may carry, read in one walk over the body. */
record GenericFields(Operation.Options options, long maxTimeMillis, Optional<BsonTimestamp> clusterTime) {
    /** The version of what our own processes say to each other; one byte, in {@code $ostraka.v}. */
    static final int PROTOCOL = io.ostraka.wire.message.ClusterProtocol.VERSION;

    String database() {
        return options.database();
    }

    static GenericFields parse(RawDocument body) {
        return new Reader().read(body);
    }

    /** Collects the fields as they pass by. */
    private static final class Reader {
        private String database;
        private RawDocument lsid;
        private OptionalLong txnNumber = OptionalLong.empty();
        private List<Integer> stmtIds = List.of();
        private RawDocument readConcern;
        private RawDocument writeConcern;
        private RawDocument readPreference;
        private RawDocument shardVersion;
        private RawDocument databaseVersion;
        private BsonValue comment;
        private BsonTimestamp clusterTime;
        private long maxTimeMillis;
        private boolean starts;
        private boolean continues;

        GenericFields read(RawDocument body) {
            RawCursor cursor = body.cursor();
            while (cursor.next()) {
                take(cursor);
            }
            if (database == null) {
                throw IDL_FAILED_TO_PARSE.because("OP_MSG requests require a $db argument");
            }
            if (txnNumber.isPresent() && lsid == null) {
                throw INVALID_OPTIONS.because("Transaction number requires a session ID to also be specified");
            }
            return new GenericFields(
                    new Operation.Options(
                            database,
                            Optional.ofNullable(lsid),
                            txnNumber,
                            transaction(),
                            stmtIds,
                            Optional.ofNullable(readConcern),
                            Optional.ofNullable(writeConcern),
                            Optional.ofNullable(readPreference),
                            Optional.ofNullable(shardVersion),
                            Optional.ofNullable(databaseVersion),
                            Optional.ofNullable(comment)),
                    maxTimeMillis,
                    Optional.ofNullable(clusterTime));
        }

        private void take(RawCursor field) {
            switch (field.name()) {
                case "$db" -> database = checkedDatabase(field);
                case "lsid" -> lsid = checkedSession(document(field));
                case "txnNumber" -> txnNumber = OptionalLong.of(number(field));
                case "stmtId" -> stmtIds = List.of((int) number(field));
                case "stmtIds" -> stmtIds = numbers(field);
                case "readConcern" -> readConcern = document(field);
                case "writeConcern" -> writeConcern = document(field);
                case "$readPreference" -> readPreference = document(field);
                case "shardVersion" -> shardVersion = document(field);
                case "databaseVersion" -> databaseVersion = document(field);
                case "comment" -> comment = field.value();
                case "maxTimeMS" -> maxTimeMillis = checkedMaxTime(field);
                case "startTransaction" -> starts = checkedTrue(field);
                case "autocommit" -> continues = checkedFalse(field);
                case "$clusterTime" -> clusterTime = checkedClusterTime(document(field));
                case "apiVersion" -> checkApiVersion(field);
                case "$ostraka" -> checkProtocol(document(field));
                default -> {}
            }
        }

        private static boolean checkedTrue(RawCursor field) {
            if (field.type() != BsonType.BOOLEAN) {
                throw wrongType(field, "bool");
            }
            if (!field.value().asBoolean().getValue()) {
                throw INVALID_OPTIONS.because("specifying startTransaction=false is not allowed: leave it out");
            }
            return true;
        }

        private static boolean checkedFalse(RawCursor field) {
            if (field.type() != BsonType.BOOLEAN) {
                throw wrongType(field, "bool");
            }
            if (field.value().asBoolean().getValue()) {
                throw INVALID_OPTIONS.because("specifying autocommit=true is not allowed: leave it out");
            }
            return true;
        }

        private Operation.InTransaction transaction() {
            if (!starts && !continues) {
                return Operation.InTransaction.NO;
            }
            if (txnNumber.isEmpty()) {
                throw INVALID_OPTIONS.because(
                        "'autocommit' and 'startTransaction' require a transaction number to also be specified");
            }
            if (!continues) {
                throw INVALID_OPTIONS.because("'startTransaction' requires 'autocommit: false'");
            }
            return starts ? Operation.InTransaction.STARTS : Operation.InTransaction.CONTINUES;
        }

        private static RawDocument document(RawCursor field) {
            if (!field.isDocument()) {
                throw wrongType(field, "object");
            }
            return field.document();
        }

        private static long number(RawCursor field) {
            if (!field.isNumber()) {
                throw wrongType(field, "long");
            }
            BsonValue value = field.value();
            return value.isDecimal128()
                    ? value.asDecimal128().getValue().longValue()
                    : value.asNumber().longValue();
        }

        private static List<Integer> numbers(RawCursor field) {
            if (!field.isArray()) {
                throw wrongType(field, "array");
            }
            List<Integer> numbers = new ArrayList<>();
            RawCursor element = field.document().cursor();
            while (element.next()) {
                numbers.add((int) number(element));
            }
            return List.copyOf(numbers);
        }

        private static long checkedMaxTime(RawCursor field) {
            long millis = number(field);
            if (millis < 0 || millis > Integer.MAX_VALUE) {
                throw BAD_VALUE.because("maxTimeMS value %d is out of range, it must be from 0 to 2147483647", millis);
            }
            return millis;
        }

        private static RawDocument checkedSession(RawDocument lsid) {
            RawCursor id = lsid.find("id");
            if (id == null || id.type() != BsonType.BINARY) {
                throw IDL_FAILED_TO_PARSE.because("BSON field 'OperationSessionInfo.lsid.id' is missing or no UUID");
            }
            return lsid.compact();
        }

        private static BsonTimestamp checkedClusterTime(RawDocument gossip) {
            return gossip.get("clusterTime") instanceof BsonTimestamp time ? time : null;
        }

        private static void checkApiVersion(RawCursor field) {
            if (field.type() != BsonType.STRING || !field.string().equals("1")) {
                throw API_VERSION_ERROR.because("API version must be \"1\"");
            }
        }

        private static void checkProtocol(RawDocument ours) {
            RawCursor version = ours.find("v");
            if (version == null || !version.isNumber() || number(version) != PROTOCOL) {
                throw INCOMPATIBLE_SERVER_VERSION.because(
                        "this process speaks version %d of the cluster's internal protocol", PROTOCOL);
            }
        }

        private static String checkedDatabase(RawCursor field) {
            if (field.type() != BsonType.STRING) {
                throw wrongType(field, "string");
            }
            String name = field.string();
            boolean bad = name.isEmpty() || name.length() > 63;
            for (int i = 0; i < name.length() && !bad; i++) {
                bad = "/\\. \"$\0".indexOf(name.charAt(i)) >= 0;
            }
            if (bad && !name.equals("$external")) {
                throw INVALID_NAMESPACE.because("Invalid database name: '%s'", name);
            }
            return name;
        }

        private static RuntimeException wrongType(RawCursor field, String expected) {
            return TYPE_MISMATCH.because(
                    "BSON field '%s' is the wrong type '%s', expected type '%s'",
                    field.name(), TypeNames.of(field.type()), expected);
        }
    }
}
