package io.ostraka.node.catalog;

import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;

import io.ostraka.core.check.Check;
import io.ostraka.core.placement.Namespace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** All collections of a member at one moment. Immutable. */
public final class Catalog {
    public static final Catalog EMPTY = new Catalog(new HashMap<>(), 0);

    private final Map<Integer, CollectionEntry> byIdent;
    private final TreeMap<String, CollectionEntry> byName = new TreeMap<>();
    private final int highestIdent;

    private Catalog(Map<Integer, CollectionEntry> byIdent, int highestIdent) {
        this.byIdent = byIdent;
        this.highestIdent = highestIdent;
        for (CollectionEntry entry : byIdent.values()) {
            CollectionEntry other = byName.put(entry.namespace().toString(), entry);
            Check.that(other == null, "a name means one collection");
        }
    }

    /** @param highestIdent the greatest ident ever given, to dropped collections too */
    public static Catalog of(Collection<CollectionEntry> entries, int highestIdent) {
        Map<Integer, CollectionEntry> byIdent = new HashMap<>();
        entries.forEach(entry -> byIdent.put(entry.ident(), entry));
        return new Catalog(byIdent, highestIdent);
    }

    /** The Catalog after a change. */
    public Catalog with(CatalogChange change) {
        Map<Integer, CollectionEntry> next = new HashMap<>(byIdent);
        int highest = highestIdent;
        switch (change) {
            case CatalogChange.Create(var entry) -> {
                next.put(entry.ident(), entry);
                highest = Math.max(highest, entry.highestIdent());
            }
            case CatalogChange.Drop(var ident) -> next.remove(ident);
            case CatalogChange.Rename(var ident, var to) -> next.computeIfPresent(ident, (_, entry) -> entry.with(to));
            case CatalogChange.SetOptions(var ident, var options) ->
                next.computeIfPresent(ident, (_, entry) -> entry.withOptions(options));
            case CatalogChange.SetPreImages(var ident, var on) ->
                next.computeIfPresent(ident, (_, entry) -> entry.withPreImages(on));
            case CatalogChange.SetOwnership(var ident, var ownership) ->
                next.computeIfPresent(ident, (_, entry) -> entry.withOwnership(ownership));
            case CatalogChange.PutIndex(var ident, var index) -> {
                next.computeIfPresent(ident, (_, entry) -> entry.withIndex(index));
                highest = Math.max(highest, index.ident());
            }
            case CatalogChange.DropIndex(var ident, var index) ->
                next.computeIfPresent(ident, (_, entry) -> entry.withoutIndex(index));
            case CatalogChange.AddMultikey(var ident, var index, var fields) ->
                next.computeIfPresent(
                        ident,
                        (_, entry) -> entry.indexes().stream()
                                .filter(each -> each.ident() == index)
                                .findFirst()
                                .map(each -> entry.withIndex(each.withMultikey(fields)))
                                .orElse(entry));
        }
        return new Catalog(next, highest);
    }

    public int highestIdent() {
        return highestIdent;
    }

    public Optional<CollectionEntry> find(Namespace namespace) {
        return Optional.ofNullable(byName.get(namespace.toString()));
    }

    public Optional<CollectionEntry> find(String namespace) {
        return Optional.ofNullable(byName.get(namespace));
    }

    public Optional<CollectionEntry> find(UUID uuid) {
        return byIdent.values().stream()
                .filter(entry -> entry.uuid().equals(uuid))
                .findFirst();
    }

    public Optional<CollectionEntry> byIdent(int ident) {
        return Optional.ofNullable(byIdent.get(ident));
    }

    /** @throws io.ostraka.core.error.CommandException 26 NamespaceNotFound */
    public CollectionEntry get(Namespace namespace) {
        return find(namespace).orElseThrow(() -> NAMESPACE_NOT_FOUND.because("ns does not exist: %s", namespace));
    }

    /** All collections, sorted by name. */
    public Collection<CollectionEntry> all() {
        return List.copyOf(byName.values());
    }

    /** The collections of a database, sorted by name. */
    public List<CollectionEntry> ofDatabase(String database) {
        return new ArrayList<>(byName.subMap(database + ".", database + "/").values());
    }

    /** The databases that have a collection, sorted. */
    public Set<String> databases() {
        Set<String> names = new TreeSet<>();
        byIdent.values().forEach(entry -> names.add(entry.namespace().database()));
        return names;
    }
}
