package io.ostraka.node.write;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.query.index.IndexKeys;
import io.ostraka.query.run.RunContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Makes the keys of documents, with indexes compiled once. Safe for many threads. */
public final class Indexer {
    private final RunContext context;
    private final Map<Integer, IndexKeys> compiled = new ConcurrentHashMap<>();

    /** @param context for partial indexes, whose filters read no clock */
    public Indexer(RunContext context) {
        this.context = context;
    }

    /**
     * The keys of a document in all indexes of a collection, building ones too, in the entry's order.
     *
     * @throws io.ostraka.core.error.CommandException 171 CannotIndexParallelArrays and the like
     */
    List<DocumentKeys> keys(CollectionEntry collection, RawDocument document) {
        List<DocumentKeys> all = new ArrayList<>(collection.indexes().size());
        for (IndexEntry index : collection.indexes()) {
            all.add(keys(index, document));
        }
        return all;
    }

    /** The keys of a document in one index. */
    DocumentKeys keys(IndexEntry index, RawDocument document) {
        IndexKeys.Keys keys = compiled(index).of(document);
        // Nearly always one.
        Set<KeyString> each =
                keys.keys().size() == 1 ? Set.of(keys.keys().iterator().next()) : new HashSet<>(keys.keys());
        return new DocumentKeys(index, each, keys.multikey());
    }

    /** An index compiled. An ident's keys never change, so they are kept by it. */
    public IndexKeys compiled(IndexEntry index) {
        return compiled.computeIfAbsent(index.ident(), _ -> IndexKeys.of(index.definition(), context));
    }
}
