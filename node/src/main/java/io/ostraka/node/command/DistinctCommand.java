package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.BSON_OBJECT_TOO_LARGE;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.path.FieldPath;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.member.Member;
import io.ostraka.node.view.Selection;
import io.ostraka.query.execute.Execution;
import io.ostraka.query.execute.Row;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.DistinctRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bson.BsonValue;

/**
 * {@code distinct}: the different values of one field.
 *
 * <pre>{ distinct: name, key: path, query?, hint? }  →  { values: [ … ] }</pre>
 *
 * Of an array each element is a value. Documents without the field give none. Values are equal as an index takes them, and the
 * first one met is answered.
 */
final class DistinctCommand implements Command<DistinctRequest> {
    private static final int MAX_BYTES = 16 << 20;

    private final Reading reading;

    DistinctCommand(Member member) {
        reading = new Reading(member);
    }

    @Override
    public String name() {
        return "distinct";
    }

    @Override
    public Needs needs() {
        return Needs.read("find");
    }

    @Override
    public DistinctRequest parse(Fields fields) {
        return DistinctRequest.parse(fields);
    }

    static FindQuery query(DistinctRequest request) {
        QueryWords.refuse(request.collation(), "a collation");
        return QueryWords.of(request.query(), RawDocument.EMPTY, request.hint());
    }

    @Override
    public RawDocument run(DistinctRequest request, Operation operation) {
        Selection selection = Selection.of(query(request), reading.context(operation));
        Values values = new Values(FieldPath.of(request.key()));
        try (Reading.Opened opened = reading.open(operation, new Namespace(request.database(), request.collection()))) {
            if (opened.collection().isPresent()) {
                try (Execution execution =
                        selection.open(opened.view(), opened.collection().get())) {
                    for (Row row = execution.next(); row != null; row = execution.next()) {
                        values.collect(row.document().find(values.path.part(0)), 1);
                    }
                }
            }
        }
        return values.answer();
    }

    private static final class Values {
        private final FieldPath path;
        private final Map<KeyString, BsonValue> found = new LinkedHashMap<>();
        private long bytes;

        Values(FieldPath path) {
            this.path = path;
        }

        private void collect(RawCursor value, int part) {
            if (value == null) {
                return;
            }
            if (part == path.length()) {
                if (value.isArray()) {
                    RawCursor element = value.document().cursor();
                    while (element.next()) {
                        add(element);
                    }
                } else {
                    add(value);
                }
            } else if (value.isDocument()) {
                collect(value.document().find(path.part(part)), part + 1);
            } else if (value.isArray()) {
                if (path.index(part) >= 0) {
                    collect(value.document().find(path.part(part)), part + 1);
                }
                RawCursor element = value.document().cursor();
                while (element.next()) {
                    if (element.isDocument()) {
                        collect(element.document().find(path.part(part)), part + 1);
                    }
                }
            }
        }

        private void add(RawCursor value) {
            KeyString key = KeyString.builder().add(value, false).build();
            if (found.putIfAbsent(key, value.value()) == null) {
                bytes += value.elementSize();
                if (bytes > MAX_BYTES) {
                    throw BSON_OBJECT_TOO_LARGE.because("distinct too big, 16mb cap");
                }
            }
        }

        RawDocument answer() {
            RawBuilder reply = new RawBuilder((int) bytes + 64).openArray("values");
            int at = 0;
            for (BsonValue value : found.values()) {
                reply.put(Integer.toString(at++), value);
            }
            return reply.close().build();
        }
    }
}
