package io.ostraka.node.catalog;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.check.Check;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.index.IndexDefinition;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/**
 * One index of a collection.
 *
 * @param ident where its entries are
 * @param definition what it is
 * @param state whether plans may use it
 * @param multikey bit i is set where some document holds, or held, an array on the path of field i
 */
public record IndexEntry(int ident, IndexDefinition definition, State state, long multikey) {
    public enum State {
        /** Writers maintain it; entries of older documents are still missing. */
        BUILDING,
        READY
    }

    public IndexEntry {
        Check.that(ident > 0, "an ident is positive");
    }

    /** The index on {@code _id} that every collection has, in the collection's own order of strings. */
    public static IndexEntry ofId(int ident, Collation collation) {
        return new IndexEntry(ident, IndexDefinition.ID.withCollation(collation), State.READY, 0);
    }

    public String name() {
        return definition.name();
    }

    /** Whether no two owned documents may have one key. The index on {@code _id} is. */
    public boolean isUnique() {
        return definition.unique() || definition.isId();
    }

    public boolean isReady() {
        return state == State.READY;
    }

    public IndexEntry with(State next) {
        return new IndexEntry(ident, definition, next, multikey);
    }

    public IndexEntry with(IndexDefinition next) {
        return new IndexEntry(ident, next, state, multikey);
    }

    public IndexEntry withMultikey(long more) {
        return new IndexEntry(ident, definition, state, multikey | more);
    }

    BsonDocument toBson() {
        return new BsonDocument("ident", new BsonInt64(ident))
                .append("spec", definition.toDocument().toBson())
                .append("ready", BsonBoolean.valueOf(isReady()))
                .append("multikey", new BsonInt64(multikey));
    }

    static IndexEntry of(BsonDocument stored) {
        return new IndexEntry(
                (int) stored.getInt64("ident").getValue(),
                IndexDefinition.parse(RawDocument.of(stored.getDocument("spec"))),
                stored.getBoolean("ready").getValue() ? State.READY : State.BUILDING,
                stored.getInt64("multikey").getValue());
    }
}
