package io.ostraka.wire.request;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.UNAUTHORIZED;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.wire.command.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * {@code bulkWrite}: inserts, updates and deletes of several collections in one command.
 *
 * @param ops in order, at least one and at most {@link RequestLimits#WRITE_BATCH}
 * @param errorsOnly whether what went well is not told op by op
 * @param batchSize results of the first batch
 */
public record BulkWriteRequest(
        List<Op> ops,
        boolean ordered,
        boolean errorsOnly,
        boolean bypassValidation,
        Optional<RawDocument> let,
        OptionalInt batchSize) {
    /** What a cursor of results names. */
    public static final String NAMESPACE = "admin.$cmd.bulkWrite";

    /** The command that does a kind of op, and where its statements stand. */
    public enum Kind {
        INSERT("insert", "documents"),
        UPDATE("update", "updates"),
        DELETE("delete", "deletes");

        private final String command;
        private final String field;

        Kind(String command, String field) {
            this.command = command;
            this.field = field;
        }

        public String command() {
            return command;
        }

        public String field() {
            return field;
        }
    }

    /**
     * One op.
     *
     * @param statement in the words of its kind's command
     */
    public record Op(Kind kind, Namespace namespace, RawDocument statement) {}

    /**
     * Ops that one command does.
     *
     * @param first the place of the first among all
     */
    public record Run(int first, Kind kind, Namespace namespace, List<RawDocument> statements) {}

    public BulkWriteRequest {
        ops = List.copyOf(ops);
    }

    public static BulkWriteRequest parse(Fields fields) {
        if (!fields.database().equals("admin")) {
            throw UNAUTHORIZED.because("bulkWrite may only be run against the admin database.");
        }
        List<Namespace> namespaces = namespaces(fields);
        List<RawDocument> sent = fields.requiredDocuments("ops");
        Batches.check("bulkWrite", "ops", sent);
        List<Op> ops = new ArrayList<>();
        for (RawDocument op : sent) {
            ops.add(op(fields.nested("ops", op), op, namespaces, ops.size()));
        }
        BulkWriteRequest request = new BulkWriteRequest(
                ops,
                fields.bool("ordered", true),
                fields.bool("errorsOnly", false),
                fields.bool("bypassDocumentValidation", false),
                fields.document("let"),
                batchSize(fields));
        if (fields.has("txnNumber") && !fields.has("autocommit")) {
            request.refuseMany();
        }
        return request;
    }

    private static OptionalInt batchSize(Fields fields) {
        Optional<RawDocument> cursor = fields.document("cursor");
        if (cursor.isEmpty()) {
            return OptionalInt.empty();
        }
        Fields options = fields.nested("cursor", cursor.get());
        OptionalInt size = options.count("batchSize");
        options.refuseUnknown();
        return size;
    }

    /** Repeated, a write of many could reach others. */
    private void refuseMany() {
        for (Op op : ops) {
            RawCursor multi = op.statement.find("multi");
            RawCursor limit = op.statement.find("limit");
            boolean many = multi != null && multi.value().equals(org.bson.BsonBoolean.TRUE)
                    || limit != null && limit.int32() == 0;
            if (many) {
                throw INVALID_OPTIONS.because("Cannot use retryable writes with multi=true");
            }
        }
    }

    private static List<Namespace> namespaces(Fields fields) {
        List<Namespace> namespaces = new ArrayList<>();
        for (RawDocument info : fields.requiredDocuments("nsInfo")) {
            Fields named = fields.nested("nsInfo", info);
            Namespace namespace = Namespace.parse(named.requiredString("ns"));
            named.raw("collectionUUID");
            named.raw("encryptionInformation");
            named.raw("shardVersion");
            named.raw("databaseVersion");
            named.raw("isTimeseriesNamespace");
            named.refuseUnknown();
            if (namespaces.contains(namespace)) {
                throw BAD_VALUE.because("BulkWrite nsInfo has duplicate entry of namespace %s", namespace);
            }
            namespaces.add(namespace);
        }
        return namespaces;
    }

    private static Op op(Fields fields, RawDocument op, List<Namespace> namespaces, int place) {
        String name = String.valueOf(op.firstName());
        Kind kind = switch (name) {
            case "insert" -> Kind.INSERT;
            case "update" -> Kind.UPDATE;
            case "delete" -> Kind.DELETE;
            default ->
                throw FAILED_TO_PARSE.because(
                        "BSON field 'bulkWrite.ops' entry %d begins with 'insert', 'update' or 'delete', not '%s'",
                        place, name);
        };
        long which = fields.wholeNumber(name, -1);
        if (which < 0 || which >= namespaces.size()) {
            throw BAD_VALUE.because("BulkWrite ops entry %d has an invalid nsInfo index.", place);
        }
        RawDocument statement = switch (kind) {
            case INSERT -> fields.requiredDocument("document");
            case UPDATE -> update(fields);
            case DELETE -> delete(fields);
        };
        fields.refuseUnknown();
        return new Op(kind, namespaces.get((int) which), statement);
    }

    private static RawDocument update(Fields fields) {
        RawBuilder statement = new RawBuilder().put("q", fields.requiredDocument("filter"));
        statement.put("u", fields.requiredValue("updateMods"));
        return copied(
                        statement.put("multi", fields.bool("multi", false)).put("upsert", fields.bool("upsert", false)),
                        fields,
                        Map.of(
                                "arrayFilters", "arrayFilters",
                                "hint", "hint",
                                "collation", "collation",
                                "constants", "c",
                                "sort", "sort",
                                "upsertSupplied", "upsertSupplied"))
                .build();
    }

    private static RawDocument delete(Fields fields) {
        RawBuilder statement = new RawBuilder()
                .put("q", fields.requiredDocument("filter"))
                .put("limit", fields.bool("multi", false) ? 0 : 1);
        return copied(statement, fields, Map.of("hint", "hint", "collation", "collation"))
                .build();
    }

    private static RawBuilder copied(RawBuilder statement, Fields fields, Map<String, String> names) {
        names.forEach((name, inStatement) -> {
            RawCursor value = fields.raw(name);
            if (value != null) {
                statement.value(inStatement, value);
            }
        });
        return statement;
    }

    /**
     * The ops in commands, in their order: inserts of one collection together, and, where nobody asks what each has done,
     * updates and deletes too.
     */
    public List<Run> runs() {
        List<Run> runs = new ArrayList<>();
        for (int i = 0; i < ops.size(); i++) {
            Op op = ops.get(i);
            Run last = runs.isEmpty() ? null : runs.getLast();
            boolean together = last != null
                    && last.kind == op.kind
                    && last.namespace.equals(op.namespace)
                    && (op.kind == Kind.INSERT || errorsOnly);
            if (!together) {
                last = new Run(i, op.kind, op.namespace, new ArrayList<>());
                runs.add(last);
            }
            last.statements.add(op.statement);
        }
        return runs;
    }

    /** The command of a run, without its statements. */
    public RawDocument words(Run run) {
        RawBuilder words = new RawBuilder()
                .put(run.kind.command(), run.namespace.collection())
                .put("ordered", ordered);
        if (run.kind != Kind.DELETE) {
            words.put("bypassDocumentValidation", bypassValidation);
        }
        if (run.kind != Kind.INSERT) {
            let.ifPresent(variables -> words.put("let", variables));
        }
        return words.build();
    }
}
