package io.ostraka.node.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CatalogChange;
import io.ostraka.node.catalog.CollectionEntry;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.Test;

class ProposalCodecTest {
    private static RawDocument document(String json) {
        return RawDocument.of(BsonDocument.parse(json));
    }

    @Test
    void everyChangeReadsBack() {
        CollectionEntry entry = CollectionEntry.fresh(
                3,
                4,
                new Namespace("a", "b.c"),
                new UUID(5, 6),
                new BsonDocument(),
                Optional.of(new CollectionEntry.Capped(4096, 10)));
        OplogRow.Header header = new OplogRow.Header(
                OplogRow.Kind.INSERT,
                new Namespace("a", "b.c"),
                Optional.of(new UUID(5, 6)),
                Optional.of(RecordId.of(1L << 40)),
                Optional.of(document("{_id: 1}")),
                Optional.of(new OplogRow.Statement(document("{id: 1}"), 7, 2)),
                Optional.of(document("{s: ['a.b'], r: []}")),
                true,
                Optional.empty(),
                1234567890123L);
        KeyString key = KeyString.of(new BsonInt64(300));
        Proposal proposal = new Proposal(
                -5L,
                List.of(
                        new Change.OfCatalog(new CatalogChange.Create(entry)),
                        new Change.PutRecord(3, RecordId.of(1L << 40), document("{_id: 1, x: 'y'}")),
                        new Change.PutEntry(4, key, RecordId.of(7)),
                        new Change.DeleteEntry(4, key, RecordId.of(7)),
                        new Change.DeleteRecord(3, RecordId.of(9)),
                        new Change.Count(3, -1, 2, Long.MIN_VALUE, Long.MAX_VALUE),
                        new Change.Row(header.toRaw(), 1, Optional.of(document("{old: true}"))),
                        new Change.TruncateOplog(77)));
        Proposal read = ProposalCodec.decode(ProposalCodec.encode(proposal));
        assertThat(read).isEqualTo(proposal);
        assertThat(((Change.PutEntry) read.changes().get(2)).key().typeBits()).isEqualTo(key.typeBits());
    }

    @Test
    void anotherVersionIsRefused() {
        byte[] bytes = ProposalCodec.encode(Proposal.noOp(1));
        bytes[0] = 2;
        assertThatThrownBy(() -> ProposalCodec.decode(bytes)).hasMessageContaining("version 2");
    }
}
