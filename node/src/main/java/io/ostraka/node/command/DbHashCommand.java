package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.member.Member;
import io.ostraka.node.view.CollectionSource;
import io.ostraka.node.view.View;
import io.ostraka.query.execute.Source;
import io.ostraka.query.index.KeyRange;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonValue;

/**
 * {@code dbHash}: one number for all documents of a database, or of some collections, at one moment: members that have the
 * same documents answer the same.
 *
 * <pre>{ dbHash: 1, collections?: [ name ] }  →  { host, collections: { name: md5 }, capped, uuids, md5, timeMillis }</pre>
 *
 * Documents count in the order of their {@code _id}s, those of capped collections in that in which they came.
 */
final class DbHashCommand implements Command<DbHashCommand.Request> {
    private static final KeyRange EVERY_KEY = new KeyRange(
            KeyString.builder().add(new BsonMinKey(), false).before(),
            KeyString.builder().add(new BsonMaxKey(), false).after());

    record Request(String database, List<String> collections) {}

    private final Member member;

    DbHashCommand(Member member) {
        this.member = member;
    }

    @Override
    public String name() {
        return "dbHash";
    }

    @Override
    public List<String> aliases() {
        return List.of("dbhash");
    }

    @Override
    public Needs needs() {
        return Needs.database("dbHash", Needs.Kind.READ);
    }

    @Override
    public Request parse(Fields fields) {
        List<String> names = new ArrayList<>();
        fields.value("collections").ifPresent(value -> {
            if (!value.isArray() || !value.asArray().stream().allMatch(BsonValue::isString)) {
                throw BAD_VALUE.because("collections must be an array of strings");
            }
            value.asArray().forEach(name -> names.add(name.asString().getValue()));
        });
        return new Request(fields.database(), names);
    }

    @Override
    public RawDocument run(Request request, Operation operation) {
        long started = member.settings().clock().nanos();
        Map<String, CollectionEntry> hashed = new TreeMap<>();
        Map<String, String> digests = new TreeMap<>();
        MessageDigest all = md5();
        try (View view = member.view()) {
            view.catalog().ofDatabase(request.database).stream()
                    .filter(entry -> !entry.isView())
                    .filter(entry -> isMeant(request, entry.namespace()))
                    .sorted(Comparator.comparing(entry -> entry.namespace().collection()))
                    .forEach(entry -> hashed.put(entry.namespace().collection(), entry));
            hashed.forEach((name, entry) -> {
                String digest = digest(view, entry, operation);
                digests.put(name, digest);
                all.update(digest.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            });
        }
        RawBuilder reply =
                new RawBuilder().put("host", member.settings().address().get()).openDocument("collections");
        digests.forEach(reply::put);
        reply.close().openArray("capped");
        int at = 0;
        for (Map.Entry<String, CollectionEntry> each : hashed.entrySet()) {
            if (each.getValue().capped().isPresent()) {
                reply.put(Integer.toString(at++), each.getKey());
            }
        }
        reply.close().openDocument("uuids");
        hashed.forEach((name, entry) -> reply.put(name, entry.uuidValue()));
        return reply.close()
                .put("md5", HexFormat.of().formatHex(all.digest()))
                .put("timeMillis", (member.settings().clock().nanos() - started) / 1_000_000)
                .build();
    }

    private static boolean isMeant(Request request, Namespace namespace) {
        return !namespace.collection().startsWith("system.")
                && (request.collections.isEmpty() || request.collections.contains(namespace.collection()));
    }

    private static String digest(View view, CollectionEntry entry, Operation operation) {
        MessageDigest digest = md5();
        CollectionSource source = new CollectionSource(view, entry);
        if (entry.capped().isPresent()) {
            try (Source.Walk<Source.Stored> records = source.records(false)) {
                for (Source.Stored row = records.next(); row != null; row = records.next()) {
                    operation.checkAlive();
                    update(digest, row.document());
                }
            }
        } else {
            try (Source.Walk<Source.Entry> ids = source.entries(entry.idIndex().definition(), EVERY_KEY, false)) {
                for (Source.Entry id = ids.next(); id != null; id = ids.next()) {
                    operation.checkAlive();
                    Optional<RawDocument> document = source.fetch(id.id());
                    document.filter(source::owns).ifPresent(owned -> update(digest, owned));
                }
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void update(MessageDigest digest, RawDocument document) {
        digest.update(document.array(), document.offset(), document.size());
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every platform has MD5", e);
        }
    }
}
