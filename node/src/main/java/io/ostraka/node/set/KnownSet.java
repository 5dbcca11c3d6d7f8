package io.ostraka.node.set;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * A configuration with who its members are.
 *
 * @param ids the id of each member's data folder, by the number the configuration gives it
 */
record KnownSet(SetConfig config, Map<Integer, UUID> ids) {
    static final BsonString ID = new BsonString("config");

    KnownSet {
        ids = Map.copyOf(ids);
    }

    Optional<SetConfig.Member> member(UUID id) {
        return ids.entrySet().stream()
                .filter(entry -> entry.getValue().equals(id))
                .findFirst()
                .flatMap(entry -> config.member(entry.getKey()));
    }

    BsonDocument toBson() {
        BsonDocument stored = new BsonDocument();
        ids.forEach((number, id) -> stored.append(Integer.toString(number), new BsonString(id.toString())));
        return new BsonDocument("_id", ID).append("config", config.toBson()).append("ids", stored);
    }

    static KnownSet of(BsonDocument row) {
        Map<Integer, UUID> ids = new LinkedHashMap<>();
        for (Map.Entry<String, BsonValue> entry : row.getDocument("ids").entrySet()) {
            ids.put(
                    Integer.parseInt(entry.getKey()),
                    UUID.fromString(entry.getValue().asString().getValue()));
        }
        return new KnownSet(SetConfig.of(row.getDocument("config")), ids);
    }
}
