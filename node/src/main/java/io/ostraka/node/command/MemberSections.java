package io.ostraka.node.command;

import io.ostraka.node.catalog.Catalog;
import io.ostraka.node.member.Member;
import io.ostraka.storage.Family;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** A member's sections of {@code serverStatus}. */
public final class MemberSections {
    private MemberSections() {}

    /** By name, as they are shown. */
    public static Map<String, Supplier<? extends BsonValue>> of(Member member) {
        Map<String, Supplier<? extends BsonValue>> sections = new LinkedHashMap<>();
        sections.put("repl", () -> repl(member));
        sections.put("transactions", member.transactions()::shown);
        sections.put("storageEngine", MemberSections::engine);
        sections.put("catalogStats", () -> catalog(member.views().catalog()));
        sections.put("rocksdb", () -> rocksdb(member));
        return sections;
    }

    private static BsonDocument repl(Member member) {
        MemberRole role = new MemberRole(member);
        BsonDocument repl = new BsonDocument("isWritablePrimary", BsonBoolean.valueOf(role.isWritable()));
        repl.putAll(role.helloFields());
        return repl;
    }

    private static BsonDocument engine() {
        return new BsonDocument("name", new BsonString("rocksdb"))
                .append("supportsCommittedReads", BsonBoolean.TRUE)
                .append("persistent", BsonBoolean.TRUE);
    }

    private static BsonDocument catalog(Catalog catalog) {
        long capped = catalog.all().stream()
                .filter(entry -> entry.capped().isPresent())
                .count();
        return new BsonDocument("collections", new BsonInt32(catalog.all().size()))
                .append("capped", new BsonInt32((int) capped));
    }

    private static BsonDocument rocksdb(Member member) {
        return new BsonDocument(
                        "blockCacheBytes",
                        new BsonInt64(member.settings().resources().cacheUsedBytes()))
                .append("recordsBytes", new BsonInt64(member.engine().estimatedBytes(Family.RECORDS)))
                .append("indexBytes", new BsonInt64(member.engine().estimatedBytes(Family.INDEX)))
                .append("oplogBytes", new BsonInt64(member.engine().estimatedBytes(Family.OPLOG)))
                .append("openViews", new BsonInt32(member.engine().openViews()));
    }
}
