package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.node.member.Member;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;

/**
 * {@code validate}: whether the indexes and counters of a collection agree with its records. All of it is read, whatever
 * {@code full} says, and nothing is repaired.
 *
 * <pre>{ validate: name }  →  { ns, nrecords, nIndexes, keysPerIndex, indexDetails, valid, errors, warnings, … }</pre>
 */
final class ValidateCommand implements Command<Namespace> {
    private final Member member;
    private final Reading reading;

    ValidateCommand(Member member) {
        this.member = member;
        reading = new Reading(member);
    }

    @Override
    public String name() {
        return "validate";
    }

    @Override
    public Needs needs() {
        return Needs.read("validate");
    }

    @Override
    public Namespace parse(Fields fields) {
        fields.bool("full", false);
        fields.bool("background", false);
        fields.bool("checkBSONConformance", false);
        fields.bool("metadata", false);
        return new Namespace(fields.database(), fields.collection());
    }

    @Override
    public RawDocument run(Namespace namespace, Operation operation) {
        try (Reading.Opened opened = reading.open(operation, namespace)) {
            CollectionEntry entry = opened.collection()
                    .orElseThrow(() ->
                            NAMESPACE_NOT_FOUND.because("Collection '%s' does not exist to validate.", namespace));
            Validation found =
                    new Validation(opened.view(), entry, member.parts().indexer(), operation).run();
            RawBuilder reply = new RawBuilder()
                    .put("ns", namespace.toString())
                    .put("uuid", entry.uuidValue())
                    .put("nInvalidDocuments", 0)
                    .put("nNonCompliantDocuments", 0)
                    .put("nrecords", found.records())
                    .put("nIndexes", entry.indexes().size())
                    .openDocument("keysPerIndex");
            for (IndexEntry index : entry.indexes()) {
                if (index.isReady()) {
                    reply.put(index.name(), found.keysPerIndex().get(index.name()));
                }
            }
            reply.close().openDocument("indexDetails");
            for (IndexEntry index : entry.indexes()) {
                boolean valid = found.errors().stream().noneMatch(error -> error.contains("index " + index.name()));
                reply.openDocument(index.name()).put("valid", valid).close();
            }
            reply.close().put("valid", found.isValid()).put("repaired", false);
            strings(reply, "warnings", List.of());
            strings(reply, "errors", found.errors());
            return reply.put("missingIndexEntriesCount", found.missing())
                    .put("extraIndexEntriesCount", found.extra())
                    .build();
        }
    }

    private static void strings(RawBuilder reply, String name, List<String> values) {
        reply.openArray(name);
        for (int i = 0; i < Math.min(100, values.size()); i++) {
            reply.put(Integer.toString(i), values.get(i));
        }
        reply.close();
    }
}
