package io.ostraka.query.index;

import static io.ostraka.query.TestRun.CONTEXT;
import static io.ostraka.query.TestRun.doc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.execute.DistinctValues;
import io.ostraka.query.sort.SortPattern;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexTest {
    private static IndexDefinition index(String rest) {
        return IndexDefinition.parse(doc("{name: 'i', " + rest + "}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "key: {a: 1}|{a: 5}|[[5]]|0",
                "key: {a: 1}|{}|[[null]]|0",
                "key: {a: 1}|{a: [2, 1, 2]}|[[1], [2]]|1",
                "key: {a: 1}|{a: []}|[[{$undefined: true}]]|1",
                "key: {a: 1}|{a: [[1]]}|[[[1]]]|1",
                "key: {'a.b': 1}|{a: [{b: 1}, {b: [2, 3]}, 4]}|[[null], [1], [2], [3]]|1",
                "key: {'a.0': 1}|{a: [7, 8]}|[[7]]|0",
                "key: {a: -1, b: 1}|{a: [1, 2], b: 3}|[[2, 3], [1, 3]]|1",
                "key: {'a.b': 1, 'a.c': 1}|{a: [{b: 1, c: 2}, {b: 3}]}|[[1, 2], [3, null]]|3",
                "key: {b: 1, a: 1}|{a: [1], b: 'x'}|[['x', 1]]|2",
                "key: {a: 'hashed'}|{a: 42}|[[{$numberLong: '-944302157085130861'}]]|0",
                "key: {a: 'hashed'}|{}|[[{$numberLong: '2338878944348059895'}]]|0",
                "key: {'$**': 1}|{_id: 1, a: 5, b: {c: 'x', d: {}}}|[['a', 5], ['b.c', 'x'], ['b.d', {}]]|0",
                "key: {'$**': 1}|{a: [1, {b: 2}, [3]], c: []}|[['a', 1], ['a', [3]], ['a.b', 2], ['c', {$undefined: true}]]|1",
                "key: {'$**': 1}|{_id: 1}|[]|0",
                "key: {'a.$**': 1}|{a: {b: 1}, c: 2}|[['a.b', 1]]|0",
                "key: {'$**': 1}, wildcardProjection: {'a.b': 1, _id: 1}|{_id: 7, a: {b: 1, c: 2}}|[['_id', 7], ['a.b', 1]]|0",
                "key: {'$**': 1}, wildcardProjection: {'a.b': 0}|{_id: 7, a: {b: 1, c: 2}}|[['a.c', 2]]|0",
                "key: {x: 1, 'a.$**': 1}|{x: 3, a: {b: 1, c: 2}}|[[3, 'a.b', 1], [3, 'a.c', 2]]|0",
                "key: {x: 1, 'a.$**': 1}|{x: 3}|[[3, {$minKey: 1}, {$minKey: 1}]]|0",
                "key: {a: 1}, sparse: true|{b: 1}|[]|0",
                "key: {a: 1, b: 1}, sparse: true|{b: 1}|[[null, 1]]|0",
                "key: {a: 1}, partialFilterExpression: {b: {$gt: 1}}|{a: 1, b: 1}|[]|0",
                "key: {a: 1}, partialFilterExpression: {b: {$gt: 1}}|{a: 1, b: 2}|[[1]]|0"
            })
    void holdsTheKeys(String definition, String document, String keys, long multikey) {
        IndexDefinition index = index(definition);
        IndexKeys.Keys found = IndexKeys.of(index, CONTEXT).of(doc(document));
        BsonArray decoded = new BsonArray();
        found.keys().forEach(key -> decoded.add(new BsonArray(key.decode(index.descending()))));
        assertThat(decoded).isEqualTo(BsonArray.parse(keys));
        assertThat(found.multikey()).isEqualTo(multikey);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"key: {a: 1, b: 1}|{a: [1], b: [2]}|171", "key: {a: 'hashed'}|{a: [1]}|16766"})
    void refusesWhatItCannotHold(String definition, String document, int code) {
        IndexKeys keys = IndexKeys.of(index(definition), CONTEXT);
        assertThatThrownBy(() -> keys.of(doc(document)))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code().number()).isEqualTo(code));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{name: 'x'}|9",
                "{key: 1, name: 'x'}|14",
                "{key: {a: 1}}|9",
                "{key: {}, name: 'x'}|67",
                "{key: {a: 0}, name: 'x'}|67",
                "{key: {a: 'text', b: '2d'}, name: 'x'}|67",
                "{key: {b: 1, a: '2d'}, name: 'x'}|67",
                "{key: {a: '2d', b: '2dsphere'}, name: 'x'}|67",
                "{key: {a: '2d', b: 'hashed'}, name: 'x'}|67",
                "{key: {a: '2d'}, name: 'x', bits: 0}|72",
                "{key: {a: '2d'}, name: 'x', min: 1, max: 0}|72",
                "{key: {a: '2d'}, name: 'x', min: 'y'}|14",
                "{key: {a: '2d'}, name: 'x', collation: {locale: 'de'}}|67",
                "{key: {a: '2dsphere'}, name: 'x', '2dsphereIndexVersion': 4}|67",
                "{key: {a: '2dsphere'}, name: 'x', bits: 4}|197",
                "{key: {'a.': 1}, name: 'x'}|67",
                "{key: {'$**': 0}, name: 'x'}|67",
                "{key: {'$**': 'hashed'}, name: 'x'}|67",
                "{key: {'$**.a': 1}, name: 'x'}|67",
                "{key: {'a.$**': 1, 'b.$**': 1}, name: 'x'}|67",
                "{key: {a: 1, '$**': 1}, name: 'x'}|67",
                "{key: {'$**': 1}, name: 'x', unique: true}|67",
                "{key: {'$**': 1}, name: 'x', sparse: true}|67",
                "{key: {'$**': 1}, name: 'x', expireAfterSeconds: 1}|67",
                "{key: {'$**': 1}, name: 'x', wildcardProjection: {}}|9",
                "{key: {'$**': 1}, name: 'x', wildcardProjection: 1}|14",
                "{key: {'$**': 1}, name: 'x', wildcardProjection: {a: 1, b: 0}}|31254",
                "{key: {'a.$**': 1}, name: 'x', wildcardProjection: {b: 1}}|2",
                "{key: {a: 1}, name: 'x', wildcardProjection: {b: 1}}|2",
                "{key: {a: 1}, name: 'x', foo: 1}|197",
                "{key: {a: 'hashed', b: 'hashed'}, name: 'x'}|31303",
                "{key: {a: 'hashed'}, name: 'x', unique: true}|16764",
                "{key: {_id: 1}, name: '_id_', sparse: true}|197",
                "{key: {a: 1, b: 1}, name: 'x', expireAfterSeconds: 5}|67",
                "{key: {a: 1}, name: 'x', collation: {locale: 'nowhere'}}|2"
            })
    void refusesWhatIsNoIndex(String spec, int code) {
        assertThatThrownBy(() -> IndexDefinition.parse(doc(spec)))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code().number()).isEqualTo(code));
    }

    @Test
    void showsWhatItWasGiven() {
        IndexDefinition index = index("key: {a: 1.0, b: 'hashed'}, sparse: true, v: 2, background: true");
        assertThat(index.toDocument().toBson())
                .isEqualTo(BsonDocument.parse("{v: 2, key: {a: 1.0, b: 'hashed'}, name: 'i', sparse: true}"));
        assertThat(IndexDefinition.parse(index.toDocument())).isEqualTo(index);
        assertThat(IndexDefinition.ID.toDocument().toBson())
                .isEqualTo(BsonDocument.parse("{v: 2, key: {_id: 1}, name: '_id_'}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{a: 1}|{a: [5, 1]}|{a: 2}|true",
                "{a: -1}|{a: [5, 1]}|{a: 4}|true",
                "{a: 1}|{}|{a: 0}|true",
                "{a: 1}|{a: []}|{a: null}|true",
                "{'a.b': 1}|{a: [{b: 3}, {b: 1}]}|{a: {b: 2}}|true",
                "{a: 1, b: -1}|{a: 1, b: 2}|{a: 1.0, b: 1}|true",
                "{a: 1}|{a: 'x'}|{a: 5}|false"
            })
    void sortsByTheElementThatCounts(String sort, String first, String second, boolean inOrder) {
        SortPattern pattern = SortPattern.parse(doc(sort));
        assertThat(pattern.keyOf(doc(first)).compareTo(pattern.keyOf(doc(second))) < 0)
                .isEqualTo(inOrder);
    }

    @Test
    void tellsValuesApartOnce() {
        DistinctValues values = new DistinctValues(FieldPath.of("a.b"));
        values.add(doc("{a: [{b: 2}, {b: [1, 2.0]}, 5]}"));
        values.add(doc("{a: {b: 'x'}}"));
        values.add(doc("{}"));
        values.addAll(BsonArray.parse("[3]"));
        assertThat(values.values()).isEqualTo(BsonArray.parse("[1, 2, 3, 'x']"));
    }
}
