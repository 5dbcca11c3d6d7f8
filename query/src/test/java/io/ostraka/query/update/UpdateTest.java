package io.ostraka.query.update;

import static io.ostraka.query.TestRun.CONTEXT;
import static io.ostraka.query.TestRun.doc;
import static io.ostraka.query.TestRun.docs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.query.filter.FilterParser;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.types.ObjectId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpdateTest {
    private static final UpdateContext WITH_ID =
            new UpdateContext(CONTEXT, () -> new ObjectId("0102030405060708090a0b0c"));

    private static Updater updater(String update, String query, String arrayFilters) {
        RawCursor cursor =
                RawCursor.of(BsonDocument.parse("{u: " + update + "}").get("u"));
        List<RawDocument> filters = arrayFilters == null ? List.of() : docs(arrayFilters);
        return Updater.of(UpdateParser.parse(cursor, filters), FilterParser.parse(doc(query)), WITH_ID);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{a: 1}|{$set: {a: 2, 'b.c': 3}}|{a: 2, b: {c: 3}}",
                "{a: [1, 2]}|{$set: {'a.1': 5, 'a.3': 6}}|{a: [1, 5, null, 6]}",
                "{a: 1}|{$set: {a: 1}}|same",
                "{a: 1, b: 2}|{$unset: {a: ''}}|{b: 2}",
                "{a: [1, 2]}|{$unset: {'a.0': ''}}|{a: [null, 2]}",
                "{a: 1}|{$unset: {z: ''}}|same",
                "{a: 1}|{$inc: {a: 2, b: 3}}|{a: 3, b: 3}",
                "{a: 2147483647}|{$inc: {a: 1}}|{a: {$numberLong: '2147483648'}}",
                "{a: 1}|{$inc: {a: 1.5}}|{a: 2.5}",
                "{a: 3}|{$mul: {a: 2, b: 5}}|{a: 6, b: 0}",
                "{a: 3}|{$min: {a: 2}, $max: {b: 4}}|{a: 2, b: 4}",
                "{a: 3}|{$max: {a: 2}}|same",
                "{a: 1}|{$rename: {a: 'b.c'}}|{b: {c: 1}}",
                "{a: 1}|{$rename: {z: 'y'}}|same",
                "{a: [1]}|{$push: {a: 2, b: 1}}|{a: [1, 2], b: [1]}",
                "{a: [3, 1]}|{$push: {a: {$each: [2, 5], $sort: 1, $slice: -3}}}|{a: [2, 3, 5]}",
                "{a: [1, 2]}|{$push: {a: {$each: [9], $position: 0}}}|{a: [9, 1, 2]}",
                "{a: [{x: 2}]}|{$push: {a: {$each: [{x: 1}], $sort: {x: 1}}}}|{a: [{x: 1}, {x: 2}]}",
                "{a: [1]}|{$addToSet: {a: {$each: [1.0, 2]}}}|{a: [1, 2]}",
                "{a: [1]}|{$addToSet: {a: 1}}|same",
                "{a: [1, 2, 3]}|{$pop: {a: 1}}|{a: [1, 2]}",
                "{a: [1, 2, 3]}|{$pop: {a: -1}}|{a: [2, 3]}",
                "{a: [1, 2, 1]}|{$pull: {a: 1}}|{a: [2]}",
                "{a: [1, 5, 7]}|{$pull: {a: {$gt: 4}}}|{a: [1]}",
                "{a: [{b: 1}, {b: 2, c: 3}]}|{$pull: {a: {b: 2}}}|{a: [{b: 1}]}",
                "{a: [{b: 1}, {b: 2}, {b: 3}]}|{$pull: {a: {$or: [{b: 1}, {b: {$gt: 2}}]}}}|{a: [{b: 2}]}",
                "{a: ['x', 'ab']}|{$pull: {a: /^a/}}|{a: ['x']}",
                "{a: [{b: [1, 2]}, {b: [3]}]}|{$pull: {a: {b: {$elemMatch: {$gt: 2}}}}}|{a: [{b: [1, 2]}]}",
                "{a: [1, 2, 3]}|{$pullAll: {a: [1, 3]}}|{a: [2]}",
                "{a: 1}|{$setOnInsert: {b: 1}}|same",
                "{a: 1}|{$currentDate: {d: true, t: {$type: 'timestamp'}}}|{a: 1, d: {$date: {$numberLong: '1700000000000'}}, t: {$timestamp: {t: 1700000000, i: 1}}}",
                "{a: 5}|{$bit: {a: {and: 4}}}|{a: 4}",
                "{_id: 1, a: 1}|{b: 2}|{_id: 1, b: 2}",
                "{_id: 1, a: 1}|{_id: 1, b: 2}|{_id: 1, b: 2}",
                "{_id: 1, a: 2}|[{$set: {b: {$add: ['$a', 1]}}}, {$unset: 'a'}]|{_id: 1, b: 3}",
                "{a: [1, 2]}|{$inc: {'a.$[]': 1}}|{a: [2, 3]}",
                "{a: [{b: [1]}, {b: [2]}]}|{$inc: {'a.$[].b.$[]': 1}}|{a: [{b: [2]}, {b: [3]}]}",
                "{b: 1, a: 1}|{$set: {d: 1, c: 1}}|{b: 1, a: 1, c: 1, d: 1}"
            })
    void changesAsDocumented(String before, String update, String after) {
        assertThat(updater(update, "{}", null).apply(doc(before)))
                .isEqualTo(after.equals("same") ? Optional.empty() : Optional.of(doc(after)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "-",
            value = {
                "{a: [1, 2, 3]}|{a: 2}|{$set: {'a.$': 9}}|-|{a: [1, 9, 3]}",
                "{a: [{b: 1}, {b: 2}]}|{'a.b': 2}|{$set: {'a.$.c': 9}}|-|{a: [{b: 1}, {b: 2, c: 9}]}",
                "{a: [{b: 1, c: 1}, {b: 1, c: 2}]}|{a: {$elemMatch: {b: 1, c: 2}}}|{$inc: {'a.$.c': 5}}|-|{a: [{b: 1, c: 1}, {b: 1, c: 7}]}",
                "{a: [1, 5, 8]}|{}|{$set: {'a.$[e]': 0}}|[{e: {$gt: 4}}]|{a: [1, 0, 0]}",
                "{a: [{b: 1}, {b: 7}]}|{}|{$inc: {'a.$[x].b': 1}}|[{'x.b': {$gte: 5}}]|{a: [{b: 1}, {b: 8}]}"
            })
    void findsPositions(String before, String query, String update, String arrayFilters, String after) {
        assertThat(updater(update, query, arrayFilters).apply(doc(before))).contains(doc(after));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{_id: 5}|{$set: {a: 1}}|{_id: 5, a: 1}",
                "{a: 1, b: {$gt: 5}}|{$setOnInsert: {c: 2}}|{_id: {$oid: '0102030405060708090a0b0c'}, a: 1, c: 2}",
                "{'a.b': 1, $and: [{c: 2}, {d: {$in: [3]}}]}|{$inc: {e: 1}}|{_id: {$oid: '0102030405060708090a0b0c'}, a: {b: 1}, c: 2, d: 3, e: 1}",
                "{_id: 1, a: 2}|{b: 3}|{_id: 1, b: 3}",
                "{a: 2}|{_id: 7, b: 3}|{_id: 7, b: 3}",
                "{_id: 1}|[{$set: {a: 1}}]|{_id: 1, a: 1}",
                "{}|{$set: {_id: 9}}|{_id: 9}"
            })
    void buildsWhatAnUpsertInserts(String query, String update, String document) {
        assertThat(updater(update, query, null).upsert()).isEqualTo(doc(document));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{$foo: {a: 1}}|9",
                "{$set: 1}|9",
                "{a: 1, $set: {b: 1}}|52",
                "{$set: {a: 1}, $inc: {a: 1}}|40",
                "{$set: {a: 1, 'a.b': 1}}|40",
                "{$set: {'': 1}}|56",
                "{$set: {'a..b': 1}}|56",
                "{$set: {'$a': 1}}|52",
                "{$inc: {a: 'x'}}|14",
                "{$inc: {s: 1}}|14",
                "{$push: {n: 1}}|2",
                "{$pop: {l: 2}}|9",
                "{$set: {'n.x': 1}}|28",
                "{$set: {'l.x': 1}}|28",
                "{$set: {_id: 2}}|66",
                "{_id: 2}|66",
                "{$unset: {_id: ''}}|66",
                "[{$set: {_id: 2}}]|66",
                "[{$match: {}}]|72",
                "{$set: {'l.$': 1}}|2",
                "{$set: {'l.$[x]': 1}}|2",
                "{$rename: {a: 'a'}}|2",
                "{$currentDate: {a: 1}}|2",
                "{$push: {l: {$each: 1}}}|14",
                "{$inc: {big: 1}}|2"
            })
    void refusesWithTheOperatorsError(String update, int code) {
        RawDocument document = doc("{_id: 1, n: 1, s: 'x', l: [1], big: {$numberLong: '9223372036854775807'}}");
        assertThatThrownBy(() -> updater(update, "{}", null).apply(document))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code().number()).isEqualTo(code));
    }
}
