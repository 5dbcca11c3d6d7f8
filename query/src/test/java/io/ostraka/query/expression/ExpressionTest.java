package io.ostraka.query.expression;

import static io.ostraka.query.TestRun.CONTEXT;
import static io.ostraka.query.TestRun.doc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.error.CommandException;
import io.ostraka.query.value.Values;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpressionTest {
    private static final String DOCUMENT = "{_id: 1, a: 5, b: {c: 2, d: [1, 2, 3]}, s: 'Héllo', n: null,"
            + " l: [{x: 1}, {x: 2}, {y: 3}], t: {$date: '2024-02-29T13:14:15.016Z'}, f: 2.5}";

    private static BsonValue evaluate(String expression) {
        BsonValue parsed = BsonDocument.parse("{e: " + expression + "}").get("e");
        return Evaluator.evaluate(ExpressionParser.parse(parsed), new Scope(doc(DOCUMENT), CONTEXT));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'$a'|5",
                "'$b.c'|2",
                "'$l.x'|[1, 2]",
                "'$$ROOT.b.d'|[1, 2, 3]",
                "'plain'|'plain'",
                "{$literal: '$a'}|'$a'",
                "{x: '$a', y: ['$n', '$zz']}|{x: 5, y: [null, null]}",
                "{$add: ['$a', 1, 2.5]}|8.5",
                "{$add: [2147483647, 1]}|{$numberLong: '2147483648'}",
                "{$add: ['$t', 1000]}|{$date: '2024-02-29T13:14:16.016Z'}",
                "{$add: ['$a', '$n']}|null",
                "{$subtract: ['$t', '$t']}|{$numberLong: '0'}",
                "{$multiply: ['$a', 2]}|10",
                "{$divide: ['$a', 2]}|2.5",
                "{$mod: [-5, 3]}|-2",
                "{$abs: -3}|3",
                "{$bitAnd: ['$a', 3]}|1",
                "{$bitOr: [{$numberLong: '4'}, 1]}|{$numberLong: '5'}",
                "{$bitXor: [6, 3, null]}|null",
                "{$bitNot: 5}|-6",
                "{$bitAnd: []}|-1",
                "{$sinh: 0}|0.0",
                "{$asinh: 0}|0.0",
                "{$cosh: 0}|1.0",
                "{$acosh: 1}|0.0",
                "{$tanh: '$zz'}|null",
                "{$atanh: {$numberDecimal: '0'}}|{$numberDecimal: '0'}",
                "{$binarySize: 'aé'}|3",
                "{$binarySize: null}|null",
                "{$maxN: {input: [3, null, 5, 1], n: 2}}|[5, 3]",
                "{$minN: {input: [3, null, 5, 1], n: 9}}|[1, 3, 5]",
                "{$median: {input: [3, 1, 'x', 2], method: 'approximate'}}|2.0",
                "{$median: {input: 'x', method: 'approximate'}}|null",
                "{$percentile: {input: [1, 2, 3, 4], p: [0.5, 1], method: 'approximate'}}|[2.0, 4.0]",
                "{$toUUID: '$zz'}|null",
                "{$binarySize: {$toUUID: '12345678-1234-1234-1234-123456789abc'}}|16",
                "{$ceil: '$f'}|3.0",
                "{$floor: -2.5}|-3.0",
                "{$round: [2.5]}|2.0",
                "{$round: [1234, -2]}|1200",
                "{$trunc: [2.789, 2]}|2.78",
                "{$sqrt: 16}|4.0",
                "{$pow: [2, 10]}|1024",
                "{$add: [{$numberDecimal: '0.1'}, {$numberDecimal: '0.2'}]}|{$numberDecimal: '0.3'}",
                "{$eq: ['$a', 5.0]}|true",
                "{$gt: ['x', 5]}|true",
                "{$lt: ['$zz', null]}|true",
                "{$cmp: [1, 2]}|-1",
                "{$and: ['$a', '$s']}|true",
                "{$or: [0, '$n']}|false",
                "{$not: ['$n']}|true",
                "{$cond: [{$gt: ['$a', 3]}, 'big', 'small']}|'big'",
                "{$cond: {if: '$n', then: 1, else: 2}}|2",
                "{$ifNull: ['$n', '$zz', 7]}|7",
                "{$switch: {branches: [{case: {$eq: ['$a', 1]}, then: 'one'}], default: 'other'}}|'other'",
                "{$let: {vars: {x: '$a'}, in: {$multiply: ['$$x', '$$x']}}}|25",
                "{$map: {input: '$b.d', as: 'e', in: {$add: ['$$e', 1]}}}|[2, 3, 4]",
                "{$map: {input: '$l', in: '$$this.x'}}|[1, 2, null]",
                "{$filter: {input: '$b.d', as: 'e', cond: {$gt: ['$$e', 0]}, limit: 1}}|[1]",
                "{$reduce: {input: '$b.d', initialValue: 0, in: {$add: ['$$value', '$$this']}}}|6",
                "{$concat: ['a', '$s']}|'aHéllo'",
                "{$toUpper: 'abc'}|'ABC'",
                "{$strLenCP: '$s'}|5",
                "{$strLenBytes: '$s'}|6",
                "{$substrCP: ['$s', 1, 2]}|'él'",
                "{$substrBytes: ['$s', 0, 3]}|'Hé'",
                "{$indexOfCP: ['$s', 'l']}|2",
                "{$indexOfBytes: ['$s', 'l']}|3",
                "{$split: ['a,b,c', ',']}|['a', 'b', 'c']",
                "{$trim: {input: '  x '}}|'x'",
                "{$ltrim: {input: 'xxa', chars: 'x'}}|'a'",
                "{$replaceAll: {input: 'abab', find: 'a', replacement: 'c'}}|'cbcb'",
                "{$strcasecmp: ['ABC', 'abc']}|0",
                "{$regexMatch: {input: '$s', regex: 'L+', options: 'i'}}|true",
                "{$regexFind: {input: 'xaab', regex: 'a(a)(z)?'}}|{match: 'aa', idx: 1, captures: ['a', null]}",
                "{$regexFindAll: {input: 'éaéa', regex: 'a'}}|[{match: 'a', idx: 1, captures: []}, {match: 'a', idx: 3, captures: []}]",
                "{$size: '$b.d'}|3",
                "{$arrayElemAt: ['$b.d', -1]}|3",
                "{$concatArrays: ['$b.d', [4]]}|[1, 2, 3, 4]",
                "{$slice: ['$b.d', -2]}|[2, 3]",
                "{$slice: ['$b.d', 1, 1]}|[2]",
                "{$in: [2, '$b.d']}|true",
                "{$indexOfArray: ['$b.d', 3]}|2",
                "{$range: [0, 6, 2]}|[0, 2, 4]",
                "{$reverseArray: '$b.d'}|[3, 2, 1]",
                "{$sortArray: {input: [3, 1, 2], sortBy: -1}}|[3, 2, 1]",
                "{$zip: {inputs: [[1, 2], ['a']], useLongestLength: true}}|[[1, 'a'], [2, null]]",
                "{$setUnion: [[1, 2], [2.0, 3]]}|[1, 2, 3]",
                "{$setDifference: [[1, 2], [2]]}|[1]",
                "{$objectToArray: {x: 1}}|[{k: 'x', v: 1}]",
                "{$arrayToObject: [[['x', 1], ['y', 2]]]}|{x: 1, y: 2}",
                "{$mergeObjects: [{a: 1}, '$n', {b: 2}]}|{a: 1, b: 2}",
                "{$getField: {field: 'c', input: '$b'}}|2",
                "{$mergeObjects: '$l'}|{x: 2, y: 3}",
                "{$month: [{$add: ['$t', 86400000]}]}|3",
                "{$month: {$add: ['$t', 86400000]}}|3",
                "{$getField: 'a'}|5",
                "{$setField: {field: 'x.y', input: {}, value: 1}}|{'x.y': 1}",
                "{$sum: '$b.d'}|6",
                "{$avg: ['$a', 6]}|5.5",
                "{$max: ['$a', '$n', 9]}|9",
                "{$type: '$zz'}|'missing'",
                "{$toString: '$f'}|'2.5'",
                "{$toInt: '12'}|12",
                "{$toLong: '$t'}|{$numberLong: '1709212455016'}",
                "{$convert: {input: 'x', to: 'int', onError: -1}}|-1",
                "{$toDate: '2024-01-01'}|{$date: '2024-01-01T00:00:00Z'}",
                "{$year: '$t'}|2024",
                "{$dayOfYear: '$t'}|60",
                "{$hour: {date: '$t', timezone: '+02:00'}}|15",
                "{$dateToString: {date: '$t', format: '%Y/%m/%d %H:%M:%S.%L'}}|'2024/02/29 13:14:15.016'",
                "{$dateToString: {date: '$t'}}|'2024-02-29T13:14:15.016Z'",
                "{$dateFromString: {dateString: '2024-02-29T13:14:15.016Z'}}|{$date: '2024-02-29T13:14:15.016Z'}",
                "{$dateFromString: {dateString: '29.02.2024', format: '%d.%m.%Y'}}|{$date: '2024-02-29T00:00:00Z'}",
                "{$dateTrunc: {date: '$t', unit: 'month'}}|{$date: '2024-02-01T00:00:00Z'}",
                "{$dateTrunc: {date: '$t', unit: 'minute', binSize: 5}}|{$date: '2024-02-29T13:10:00Z'}",
                "{$dateAdd: {startDate: '$t', unit: 'year', amount: 1}}|{$date: '2025-02-28T13:14:15.016Z'}",
                "{$dateDiff: {startDate: {$date: '2023-12-31T00:00:00Z'}, endDate: '$t', unit: 'month'}}|{$numberLong: '2'}",
                "{$dateFromParts: {year: 2024, month: 2, day: 29}}|{$date: '2024-02-29T00:00:00Z'}",
                "{$toHashedIndexKey: 42}|{$numberLong: '-944302157085130861'}",
                "'$$NOW'|{$date: {$numberLong: '1700000000000'}}"
            })
    void evaluatesAsDocumented(String expression, String expected) {
        assertThat(evaluate(expression))
                .isEqualTo(BsonDocument.parse("{e: " + expected + "}").get("e"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{$foo: 1}|168",
                "{$add: 1, $sub: 2}|15983",
                "{$cmp: [1]}|16020",
                "'$$zz'|17276",
                "'$'|40352",
                "'$a.'|40353",
                "'$a..b'|15998",
                "{$add: ['x']}|16554",
                "{$divide: [1, 0]}|16608",
                "{$mod: [1, 0]}|16610",
                "{$concat: [1]}|16702",
                "{$cond: [1]}|16020",
                "{$toInt: 'x'}|241",
                "{$size: 1}|17124",
                "{$in: [1, 2]}|40081",
                "{$switch: {branches: []}}|40068",
                "{$dateToString: {}}|9",
                "{$year: 'x'}|17419",
                "{$strLenCP: 1}|34473"
            })
    void refusesWithTheOperatorsError(String expression, int code) {
        assertThatThrownBy(() -> evaluate(expression))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code().number()).isEqualTo(code));
    }

    @Test
    void removesWithTheVariableForIt() {
        assertThat(Values.isMissing(evaluate("'$$REMOVE'"))).isTrue();
        assertThat(evaluate("{x: {$cond: [true, '$$REMOVE', 1]}}")).isEqualTo(new BsonDocument());
    }
}
