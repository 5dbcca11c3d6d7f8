package io.ostraka.node.watch;

import static io.ostraka.core.error.ErrorCode.NO_MATCHING_DOCUMENT;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.change.OplogRow;
import io.ostraka.node.view.Lookup;
import io.ostraka.node.view.View;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonNull;
import org.bson.BsonTimestamp;

/** Makes events of rows of the oplog, as one stream asks for them. */
final class ChangeEvents {
    /** Events of one row, and whether the stream ends with them. */
    record Shown(List<RawDocument> events, boolean ends) {
        static final Shown NOTHING = new Shown(List.of(), false);
    }

    private final StreamSpec spec;

    ChangeEvents(StreamSpec spec) {
        this.spec = spec;
    }

    /** @param view the present, where documents are looked up */
    Shown of(OplogRow row, View view) {
        OplogRow.Header header = row.header();
        if (header.moved()) {
            return Shown.NOTHING;
        }
        return switch (header.kind()) {
            case NOOP -> Shown.NOTHING;
            case COMMAND -> command(row);
            case INSERT, UPDATE, DELETE ->
                spec.concerns(header.namespace()) ? new Shown(List.of(document(row, view)), false) : Shown.NOTHING;
        };
    }

    private static ResumeToken token(OplogRow row, ResumeToken.Kind kind) {
        return new ResumeToken(row.time(), row.number(), kind);
    }

    private static RawBuilder begin(OplogRow row, String type, ResumeToken.Kind kind) {
        return new RawBuilder(512)
                .put("_id", token(row, kind).toRaw())
                .put("operationType", type)
                .put("clusterTime", new BsonTimestamp(row.time()))
                .put("wallTime", new BsonDateTime(row.header().wallMillis()));
    }

    private RawDocument document(OplogRow row, View view) {
        OplogRow.Header header = row.header();
        Optional<RawDocument> update = header.update();
        boolean replaces = update.map(paths -> paths.find("replace") != null).orElse(true);
        String type = switch (header.kind()) {
            case INSERT -> "insert";
            case UPDATE -> replaces ? "replace" : "update";
            default -> "delete";
        };
        RawBuilder event = begin(row, type, ResumeToken.Kind.EVENT);
        header.statement()
                .filter(of -> of.number() == OplogRow.Statement.OF_TRANSACTION)
                .ifPresent(of -> event.put("txnNumber", of.txnNumber()).put("lsid", of.lsid()));
        if (spec.expanded()) {
            header.collection().ifPresent(uuid -> event.put("collectionUUID", new BsonBinary(uuid)));
        }
        if (header.kind() == OplogRow.Kind.INSERT || header.kind() == OplogRow.Kind.UPDATE && replaces) {
            event.put("fullDocument", row.after().orElseThrow());
        } else if (header.kind() == OplogRow.Kind.UPDATE) {
            after(event, row, view);
        }
        event.put("ns", RawDocument.of(StreamSpec.ns(header.namespace())));
        header.documentKey().ifPresent(key -> event.put("documentKey", key));
        if (header.kind() == OplogRow.Kind.UPDATE && !replaces) {
            event.put(
                    "updateDescription",
                    description(update.orElseThrow(), row.after().orElseThrow()));
        }
        if (header.kind() != OplogRow.Kind.INSERT) {
            before(event, row);
        }
        return event.build();
    }

    private void after(RawBuilder event, OplogRow row, View view) {
        switch (spec.after()) {
            case DEFAULT -> {}
            case WHEN_AVAILABLE, REQUIRED ->
                event.put("fullDocument", row.after().orElseThrow());
            case LOOKUP -> {
                OplogRow.Header header = row.header();
                Optional<RawDocument> now = view.catalog()
                        .find(header.collection().orElse(new UUID(0, 0)))
                        .flatMap(collection -> Lookup.byId(
                                view,
                                collection,
                                KeyString.of(header.documentKey().orElseThrow().get("_id"))))
                        .map(Lookup.Found::document);
                if (now.isPresent()) {
                    event.put("fullDocument", now.get());
                } else {
                    event.put("fullDocument", BsonNull.VALUE);
                }
            }
        }
    }

    private void before(RawBuilder event, OplogRow row) {
        if (spec.before() == StreamSpec.Before.OFF) {
            return;
        }
        if (row.before().isPresent()) {
            event.put("fullDocumentBeforeChange", row.before().get());
        } else if (spec.before() == StreamSpec.Before.REQUIRED) {
            throw NO_MATCHING_DOCUMENT.because(
                    "Change stream was configured to require a pre-image, but the pre-image was not found for event: %s",
                    token(row, ResumeToken.Kind.EVENT).toRaw());
        } else {
            event.put("fullDocumentBeforeChange", BsonNull.VALUE);
        }
    }

    private static RawDocument description(RawDocument paths, RawDocument after) {
        RawBuilder description = new RawBuilder(256).openDocument("updatedFields");
        RawCursor path = paths.find("s").document().cursor();
        while (path.next()) {
            String name = path.string();
            description.value(name, at(after, name));
        }
        return description
                .close()
                .putArray("removedFields", paths.find("r").document())
                .openArray("truncatedArrays")
                .close()
                .build();
    }

    /** The value at a path of fields that are there; a name may have dots of its own. */
    private static RawCursor at(RawDocument document, String path) {
        RawCursor whole = document.find(path);
        for (int dot = path.indexOf('.'); whole == null && dot >= 0; dot = path.indexOf('.', dot + 1)) {
            RawCursor outer = document.find(path.substring(0, dot));
            if (outer != null && outer.isDocument()) {
                whole = at(outer.document(), path.substring(dot + 1));
            }
        }
        return whole;
    }

    private Shown command(OplogRow row) {
        OplogRow.Header header = row.header();
        RawDocument command = header.command().orElse(RawDocument.EMPTY);
        String name = String.valueOf(command.firstName());
        Namespace namespace = header.namespace();
        return switch (name) {
            case "drop" ->
                spec.concerns(namespace)
                        ? ending(row, event(row, "drop", namespace).build())
                        : Shown.NOTHING;
            case "renameCollection" ->
                rename(row, namespace, Namespace.parse(command.find("to").string()));
            case "create", "createIndexes", "dropIndexes", "collMod" -> {
                if (!spec.expanded() || !spec.concerns(namespace)) {
                    yield Shown.NOTHING;
                }
                String type = name.equals("collMod") ? "modify" : name;
                yield new Shown(
                        List.of(event(row, type, namespace)
                                .put("operationDescription", command)
                                .build()),
                        false);
            }
            default -> Shown.NOTHING;
        };
    }

    private static RawBuilder event(OplogRow row, String type, Namespace namespace) {
        return begin(row, type, ResumeToken.Kind.EVENT).put("ns", RawDocument.of(StreamSpec.ns(namespace)));
    }

    private Shown rename(OplogRow row, Namespace from, Namespace to) {
        if (!spec.concerns(from) && !spec.concerns(to)) {
            return Shown.NOTHING;
        }
        return ending(
                row,
                event(row, "rename", from)
                        .put("to", RawDocument.of(StreamSpec.ns(to)))
                        .build());
    }

    /** An event after which a stream on one collection has nothing more to tell. */
    private Shown ending(OplogRow row, RawDocument event) {
        return spec.collection().isEmpty()
                ? new Shown(List.of(event), false)
                : new Shown(
                        List.of(
                                event,
                                begin(row, "invalidate", ResumeToken.Kind.INVALIDATE)
                                        .build()),
                        true);
    }
}
