package io.ostraka.query.filter;

import static io.ostraka.query.TestRun.doc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.error.CommandException;
import io.ostraka.query.TestRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilterTest {
    private static boolean matches(String filter, String document) {
        return FilterCompiler.compile(FilterParser.parse(doc(filter)), TestRun.CONTEXT)
                .test(doc(document));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // equality, across number types, null, missing, arrays
                "{a: 1}|{a: 1}|true",
                "{a: 1}|{a: 1.0}|true",
                "{a: 1}|{a: {$numberDecimal: '1.00'}}|true",
                "{a: 0}|{a: -0.0}|true",
                "{a: 1}|{a: '1'}|false",
                "{a: 1}|{a: [0, 1]}|true",
                "{a: 1}|{a: [[1]]}|false",
                "{a: [1]}|{a: [[1]]}|true",
                "{a: [1, 2]}|{a: [1, 2]}|true",
                "{a: [2, 1]}|{a: [1, 2]}|false",
                "{a: null}|{}|true",
                "{a: null}|{a: null}|true",
                "{a: null}|{a: 0}|false",
                "{a: null}|{a: [null]}|true",
                "{'a.b': null}|{a: 5}|true",
                "{'a.b': null}|{a: [{b: 1}, {}]}|true",
                "{'a.b': null}|{a: [{b: 1}]}|false",
                "{'a.b': null}|{a: []}|false",
                "{a: {b: 1}}|{a: {b: 1}}|true",
                "{a: {b: 1}}|{a: {b: 1, c: 2}}|false",
                "{a: {b: 1, c: 2}}|{a: {c: 2, b: 1}}|false",
                "{'a.b': 1}|{a: {b: 1}}|true",
                "{'a.b': 1}|{a: [{b: 2}, {b: 1}]}|true",
                "{'a.b': 1}|{a: [{b: [3, 1]}]}|true",
                "{'a.0': 1}|{a: [1, 2]}|true",
                "{'a.1': 1}|{a: [1, 2]}|false",
                "{'a.0.b': 1}|{a: [{b: 1}]}|true",
                "{'a.0': 1}|{a: [[1, 2]]}|true",
                "{a: {$numberDouble: 'NaN'}}|{a: {$numberDouble: 'NaN'}}|true",
                // comparison stays within the operand's type
                "{a: {$gt: 1}}|{a: 2}|true",
                "{a: {$gt: 1}}|{a: 'x'}|false",
                "{a: {$gt: 1}}|{}|false",
                "{a: {$gt: 1}}|{a: [0, 2]}|true",
                "{a: {$gt: 1, $lt: 2}}|{a: [0, 3]}|true",
                "{a: {$lt: 5}}|{a: {$numberDouble: 'NaN'}}|false",
                "{a: {$lte: {$numberDouble: 'NaN'}}}|{a: {$numberDouble: 'NaN'}}|true",
                "{a: {$gte: null}}|{}|true",
                "{a: {$gt: null}}|{a: null}|false",
                "{a: {$gt: {$minKey: 1}}}|{a: 1}|true",
                "{a: {$lt: {$maxKey: 1}}}|{a: 'x'}|true",
                "{a: {$gt: 'a'}}|{a: 'b'}|true",
                "{a: {$gte: {b: 1}}}|{a: {b: 2}}|true",
                "{a: {$ne: 1}}|{}|true",
                "{a: {$ne: 1}}|{a: [1, 2]}|false",
                "{a: {$ne: null}}|{a: 1}|true",
                "{a: {$ne: null}}|{}|false",
                // membership
                "{a: {$in: [1, 2]}}|{a: 2}|true",
                "{a: {$in: [1, null]}}|{}|true",
                "{a: {$in: []}}|{a: 1}|false",
                "{a: {$in: [/^b/]}}|{a: 'abc'}|false",
                "{a: {$in: [/^b/]}}|{a: ['x', 'bc']}|true",
                "{a: {$in: [[1]]}}|{a: [1]}|true",
                "{a: {$in: [1,2,3,4,5,6,7,8,9,10]}}|{a: 10.0}|true",
                "{a: {$nin: [1, 2]}}|{a: [2, 3]}|false",
                "{a: {$nin: [1]}}|{}|true",
                // logic
                "{$and: [{a: 1}, {b: 2}]}|{a: 1, b: 2}|true",
                "{$or: [{a: 1}, {b: 2}]}|{b: 2}|true",
                "{$nor: [{a: 1}, {b: 2}]}|{a: 2}|true",
                "{$nor: [{a: 1}, {b: 2}]}|{b: 2}|false",
                "{a: {$not: {$gt: 1}}}|{a: 1}|true",
                "{a: {$not: {$gt: 1}}}|{}|true",
                "{a: {$not: {$gt: 1}}}|{a: [0, 2]}|false",
                "{a: {$not: /x/}}|{a: 'y'}|true",
                "{$expr: {$gt: ['$a', '$b']}}|{a: 2, b: 1}|true",
                "{$comment: 'x', a: 1}|{a: 1}|true",
                // elements
                "{a: {$exists: true}}|{a: null}|true",
                "{a: {$exists: false}}|{a: null}|false",
                "{'a.b': {$exists: true}}|{a: [{b: 1}]}|true",
                "{'a.b': {$exists: false}}|{a: []}|true",
                "{a: {$type: 'string'}}|{a: 'x'}|true",
                "{a: {$type: 'number'}}|{a: [1.5]}|true",
                "{a: {$type: 'array'}}|{a: [1]}|true",
                "{a: {$type: 'array'}}|{a: 1}|false",
                "{a: {$type: [2, 'bool']}}|{a: true}|true",
                "{a: {$type: 'null'}}|{}|false",
                // arrays
                "{a: {$size: 2}}|{a: [1, 2]}|true",
                "{a: {$size: 0}}|{}|false",
                "{a: {$all: [1, 2]}}|{a: [2, 3, 1]}|true",
                "{a: {$all: [1]}}|{a: 1}|true",
                "{a: {$all: []}}|{a: []}|false",
                "{a: {$all: [[1, 2]]}}|{a: [1, 2]}|true",
                "{a: {$all: [{$elemMatch: {b: 1}}, {$elemMatch: {b: 2}}]}}|{a: [{b: 1}, {b: 2}]}|true",
                "{a: {$elemMatch: {$gt: 1, $lt: 3}}}|{a: [0, 5, 2]}|true",
                "{a: {$elemMatch: {$gt: 1, $lt: 2}}}|{a: [0, 3]}|false",
                "{a: {$elemMatch: {b: 1, c: 2}}}|{a: [{b: 1}, {c: 2}]}|false",
                "{a: {$elemMatch: {b: 1, c: 2}}}|{a: [{b: 1, c: 2}]}|true",
                "{a: {$elemMatch: {$or: [{b: 1}, {b: 2}]}}}|{a: [{b: 2}]}|true",
                "{a: {$elemMatch: {$ne: 1}}}|{a: [1, 1]}|false",
                "{a: {$elemMatch: {$gt: 1}}}|{a: [[2]]}|false",
                "{a: {$elemMatch: {$elemMatch: {$gt: 1}}}}|{a: [[2]]}|true",
                "{a: {$elemMatch: {$eq: [2]}}}|{a: [[2]]}|true",
                "{a: {$elemMatch: {b: 1}}}|{a: {b: 1}}|false",
                // patterns
                "{a: /^ab/}|{a: 'abc'}|true",
                "{a: /B/i}|{a: 'abc'}|true",
                "{a: {$regex: '^b', $options: 'm'}}|{a: 'a\\nb'}|true",
                "{a: {$regex: '^b'}}|{a: 'a\\nb'}|false",
                "{a: {$regex: 'a.b'}}|{a: 'a\\nb'}|false",
                "{a: {$regex: 'a.b', $options: 's'}}|{a: 'a\\nb'}|true",
                "{a: {$regex: 'a b # c', $options: 'x'}}|{a: 'ab'}|true",
                "{a: {$regex: '\\\\d{2,}(?=x)'}}|{a: 'a12x'}|true",
                "{a: /é/i}|{a: 'É'}|true",
                "{a: /x/}|{a: /x/}|true",
                // numbers
                "{a: {$mod: [4, 1]}}|{a: 5}|true",
                "{a: {$mod: [4, 1]}}|{a: 5.9}|true",
                "{a: {$mod: [4, -1]}}|{a: -5}|true",
                "{a: {$bitsAllSet: [0, 2]}}|{a: 5}|true",
                "{a: {$bitsAnySet: 6}}|{a: 1}|false",
                "{a: {$bitsAllClear: 2}}|{a: 5}|true",
                "{a: {$bitsAnyClear: [0, 1]}}|{a: 1}|true"
            })
    void matchesAsDocumented(String filter, String document, boolean expected) {
        assertThat(matches(filter, document)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{$foo: 1}|2",
                "{a: {$foo: 1}}|2",
                "{$and: []}|2",
                "{$and: 1}|2",
                "{$or: [1]}|2",
                "{a: {$in: 1}}|2",
                "{a: {$in: [{$gt: 1}]}}|2",
                "{a: {$size: -1}}|2",
                "{a: {$mod: [0, 1]}}|2",
                "{a: {$mod: [1]}}|2",
                "{a: {$not: 1}}|2",
                "{a: {$elemMatch: 1}}|2",
                "{a: {$type: 'foo'}}|2",
                "{a: {$type: 99}}|2",
                "{a: {$regex: 1}}|2",
                "{a: {$options: 'i'}}|2",
                "{a: {$regex: '('}}|51091",
                "{a: {$regex: 'a', $options: 'q'}}|51075",
                "{a: {$all: 1}}|2",
                "{a: {$bitsAllSet: -1}}|2",
                "{$expr: {$foo: 1}}|168"
            })
    void refusesWhatIsNoFilter(String filter, int code) {
        assertThatThrownBy(() -> FilterParser.parse(doc(filter)))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code().number()).isEqualTo(code));
    }

    @Test
    void stopsAPatternThatRunsWild() {
        String text = "a".repeat(5_000) + "!";
        DocumentTest test = FilterCompiler.compile(FilterParser.parse(doc("{a: /^(a|aa)+$/}")), TestRun.CONTEXT);
        assertThatThrownBy(() -> test.test(doc("{a: '" + text + "'}"))).isInstanceOf(CommandException.class);
    }
}
