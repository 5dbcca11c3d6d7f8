package io.ostraka.acceptance.spec;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Runs one page against one shape. */
final class SpecRun {
    private final SpecPage page;
    private final MongoClient client;
    private final boolean sharded;
    private final MongoDatabase database;

    /** @param sharded whether collections are spread over shards by a hash of {@code _id} */
    SpecRun(SpecPage page, MongoClient client, boolean sharded) {
        this.page = page;
        this.client = client;
        this.sharded = sharded;
        database = client.getDatabase("spec_" + page.name().replaceAll("[^A-Za-z0-9]", "_"));
    }

    void run() {
        for (SpecPage.Step step : page.steps()) {
            switch (step) {
                case SpecPage.Given given -> prepare(given);
                case SpecPage.When when -> check(when);
            }
        }
        database.drop();
    }

    private void prepare(SpecPage.Given given) {
        database.getCollection(given.collection()).drop();
        if (sharded) {
            String namespace = database.getName() + "." + given.collection();
            BsonDocument command = new BsonDocument("shardCollection", new BsonString(namespace))
                    .append("key", new BsonDocument("_id", new BsonString("hashed")));
            client.getDatabase("admin").runCommand(command);
        } else {
            database.createCollection(given.collection());
        }
        if (!given.documents().isEmpty()) {
            database.getCollection(given.collection(), BsonDocument.class).insertMany(given.documents());
        }
    }

    private void check(SpecPage.When when) {
        Optional<String> wrong = wrong(when);
        String at = page.name() + ":" + when.line() + " ";
        if (when.pending().isPresent()) {
            if (wrong.isEmpty()) {
                throw new AssertionError(
                        at + "passes: take 'pending " + when.pending().get() + "' away");
            }
            return;
        }
        wrong.ifPresent(reason -> {
            throw new AssertionError(at + when.command().toJson() + "\n" + reason);
        });
    }

    private Optional<String> wrong(SpecPage.When when) {
        Outcome outcome = outcome(when);
        return switch (when.expected()) {
            case SpecPage.Failure(var codeName) ->
                outcome.failure().filter(codeName::equals).isPresent()
                        ? Optional.empty()
                        : Optional.of("expected the error " + codeName + " and got " + outcome);
            case SpecPage.Fields(var fields) ->
                (outcome.failure().isEmpty() || namesError(fields)) && Likeness.has(outcome.reply(), fields)
                        ? Optional.empty()
                        : Optional.of("expected " + fields.toJson() + "\nin " + outcome);
            case SpecPage.Documents(var documents, var inOrder) -> {
                if (outcome.failure().isPresent() || !outcome.reply().containsKey("cursor")) {
                    yield Optional.of("expected documents and got " + outcome);
                }
                List<BsonDocument> found = all(outcome.reply().getDocument("cursor"), when.command());
                yield Likeness.of(documents, found, inOrder)
                        ? Optional.empty()
                        : Optional.of("expected " + new BsonArray(documents) + "\nand got " + new BsonArray(found));
            }
        };
    }

    /** Whether fields are of a reply that tells of an error. */
    private static boolean namesError(BsonDocument fields) {
        return fields.containsKey("writeErrors") || fields.containsKey("code");
    }

    /** @param failure the code name of the error, or of the first write error */
    private record Outcome(BsonDocument reply, Optional<String> failure) {}

    private Outcome outcome(SpecPage.When when) {
        try {
            MongoDatabase target = when.database().map(client::getDatabase).orElse(database);
            BsonDocument reply = target.runCommand(when.command(), BsonDocument.class);
            if (reply.get("writeErrors") instanceof BsonArray errors) {
                int code = errors.getFirst().asDocument().getNumber("code").intValue();
                String name = io.ostraka.core.error.ErrorCode.of(code)
                        .map(each -> each.codeName())
                        .orElse("Location" + code);
                return new Outcome(reply, Optional.of(name));
            }
            return new Outcome(reply, Optional.empty());
        } catch (MongoCommandException e) {
            return new Outcome(e.getResponse(), Optional.of(e.getErrorCodeName()));
        }
    }

    private List<BsonDocument> all(BsonDocument cursor, BsonDocument command) {
        List<BsonDocument> documents = documents(cursor.getArray("firstBatch"));
        BsonInt64 id = cursor.getInt64("id");
        BsonValue collection = new BsonString(
                cursor.getString("ns").getValue().substring(database.getName().length() + 1));
        while (id.getValue() != 0) {
            BsonDocument more = new BsonDocument("getMore", id).append("collection", collection);
            if (command.containsKey("batchSize")) {
                more.append(
                        "batchSize",
                        new BsonInt32(Math.max(1, command.getNumber("batchSize").intValue())));
            }
            BsonDocument next = database.runCommand(more, BsonDocument.class).getDocument("cursor");
            documents.addAll(documents(next.getArray("nextBatch")));
            id = next.getInt64("id");
        }
        return documents;
    }

    private static List<BsonDocument> documents(BsonArray batch) {
        List<BsonDocument> documents = new ArrayList<>();
        batch.forEach(each -> documents.add(each.asDocument()));
        return documents;
    }
}
