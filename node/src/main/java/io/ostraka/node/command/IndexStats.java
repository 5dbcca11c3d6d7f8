package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.node.member.Member;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;

/** {@code $indexStats}: a document for each index, with how often plans used it since the member was opened. */
final class IndexStats {
    private final Member member;

    IndexStats(Member member) {
        this.member = member;
    }

    List<RawDocument> stage(Reading.Opened opened, BsonDocument options) {
        if (!options.isEmpty()) {
            throw FAILED_TO_PARSE.because("The $indexStats stage specification must be an empty object");
        }
        long since = member.settings().clock().wallMillis() - 1_000 * member.uptimeSeconds();
        return opened.collection().map(CollectionEntry::indexes).orElse(List.of()).stream()
                .map(index -> row(index, since))
                .toList();
    }

    private RawDocument row(IndexEntry index, long since) {
        RawBuilder row = new RawBuilder()
                .put("name", index.name())
                .put("key", index.definition().keyPattern())
                .put("host", member.settings().address().get())
                .openDocument("accesses")
                .put("ops", member.views().indexUses().of(index.ident()))
                .put("since", new BsonDateTime(since))
                .close()
                .put("spec", index.definition().toDocument());
        if (!index.isReady()) {
            row.put("building", true);
        }
        return row.build();
    }
}
