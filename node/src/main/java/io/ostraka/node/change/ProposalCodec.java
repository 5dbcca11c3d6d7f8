package io.ostraka.node.change;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.RecordId;
import io.ostraka.node.catalog.CatalogChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Proposals as bytes; see the package page. */
public final class ProposalCodec {
    private static final byte VERSION = 1;
    private static final byte PUT_RECORD = 1;
    private static final byte DELETE_RECORD = 2;
    private static final byte PUT_ENTRY = 3;
    private static final byte DELETE_ENTRY = 4;
    private static final byte COUNT = 5;
    private static final byte CATALOG = 6;
    private static final byte ROW = 7;
    private static final byte TRUNCATE = 8;

    private ProposalCodec() {}

    public static byte[] encode(Proposal proposal) {
        ProposalSink sink = new ProposalSink(sizeOf(proposal.changes()));
        sink.raw(VERSION);
        sink.eight(proposal.reading());
        for (Change change : proposal.changes()) {
            encode(sink, change);
        }
        return sink.toByteArray();
    }

    /** About as many bytes as the changes take, so that a sink of that size seldom grows. */
    private static int sizeOf(List<Change> changes) {
        int size = 64;
        for (Change change : changes) {
            size += switch (change) {
                case Change.PutRecord put -> put.document().size() + 32;
                case Change.Row row ->
                    row.header().size() + row.before().map(RawDocument::size).orElse(0) + 16;
                case Change.PutEntry put -> put.key().bytes().length + 48;
                case Change.DeleteEntry delete -> delete.key().bytes().length + 48;
                case Change.DeleteRecord _, Change.Count _, Change.OfCatalog _, Change.TruncateOplog _ -> 64;
            };
        }
        return size;
    }

    private static void encode(ProposalSink sink, Change change) {
        switch (change) {
            case Change.PutRecord(var collection, var id, var document) -> {
                sink.raw(PUT_RECORD);
                sink.number(collection);
                sink.bytes(id.toByteArray());
                sink.document(document);
            }
            case Change.DeleteRecord(var collection, var id) -> {
                sink.raw(DELETE_RECORD);
                sink.number(collection);
                sink.bytes(id.toByteArray());
            }
            case Change.PutEntry(var index, var key, var id) -> {
                sink.raw(PUT_ENTRY);
                sink.number(index);
                sink.bytes(key.bytes());
                sink.bytes(id.toByteArray());
                sink.bytes(key.typeBits());
            }
            case Change.DeleteEntry(var index, var key, var id) -> {
                sink.raw(DELETE_ENTRY);
                sink.number(index);
                sink.bytes(key.bytes());
                sink.bytes(id.toByteArray());
            }
            case Change.Count count -> {
                sink.raw(COUNT);
                sink.number(count.collection());
                sink.signed(count.documents());
                sink.signed(count.unowned());
                sink.signed(count.bytes());
                sink.signed(count.unownedBytes());
            }
            case Change.OfCatalog(var inner) -> {
                sink.raw(CATALOG);
                sink.document(RawDocument.of(inner.toBson()));
            }
            case Change.Row(var header, var after, var before) -> {
                sink.raw(ROW);
                sink.document(header);
                sink.number(after + 1);
                sink.optional(before);
            }
            case Change.TruncateOplog(var time) -> {
                sink.raw(TRUNCATE);
                sink.eight(time);
            }
        }
    }

    /** @throws IllegalArgumentException for a version or a tag this program does not know */
    public static Proposal decode(byte[] bytes) {
        ProposalSource source = new ProposalSource(bytes);
        byte version = source.raw();
        if (version != VERSION) {
            throw new IllegalArgumentException("a proposal has version " + version + "; this program reads 1");
        }
        long reading = source.eight();
        List<Change> changes = new ArrayList<>();
        while (source.hasMore()) {
            changes.add(change(source));
        }
        return new Proposal(reading, changes);
    }

    private static Change change(ProposalSource source) {
        byte tag = source.raw();
        return switch (tag) {
            case PUT_RECORD -> new Change.PutRecord(ident(source), id(source), source.document());
            case DELETE_RECORD -> new Change.DeleteRecord(ident(source), id(source));
            case PUT_ENTRY -> {
                int index = ident(source);
                byte[] key = source.bytes();
                RecordId id = id(source);
                yield new Change.PutEntry(index, new KeyString(key, source.bytes()), id);
            }
            case DELETE_ENTRY ->
                new Change.DeleteEntry(ident(source), new KeyString(source.bytes(), new byte[0]), id(source));
            case COUNT ->
                new Change.Count(ident(source), source.signed(), source.signed(), source.signed(), source.signed());
            case CATALOG ->
                new Change.OfCatalog(CatalogChange.of(source.document().toBson()));
            case ROW -> {
                RawDocument header = source.document();
                int after = (int) source.number() - 1;
                Optional<RawDocument> before = source.optional();
                yield new Change.Row(header, after, before);
            }
            case TRUNCATE -> new Change.TruncateOplog(source.eight());
            default -> throw new IllegalArgumentException("a proposal has an unknown change of tag " + tag);
        };
    }

    private static int ident(ProposalSource source) {
        return (int) source.number();
    }

    private static RecordId id(ProposalSource source) {
        return RecordId.of(source.bytes());
    }
}
