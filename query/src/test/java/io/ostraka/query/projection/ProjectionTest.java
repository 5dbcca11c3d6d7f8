package io.ostraka.query.projection;

import static io.ostraka.query.TestRun.CONTEXT;
import static io.ostraka.query.TestRun.doc;
import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.query.filter.FilterParser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProjectionTest {
    private static final String DOCUMENT =
            "{_id: 1, a: 1, b: {c: 2, d: 3}, l: [1, 2, 3, 4], s: [{x: 1, y: 1}, {x: 2, y: 2}, 7], n: [[{x: 1}]]}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{a: 1}|{_id: 1, a: 1}",
                "{a: 1, _id: 0}|{a: 1}",
                "{_id: 1}|{_id: 1}",
                "{l: 0, s: 0, n: 0, b: 0}|{_id: 1, a: 1}",
                "{_id: 0, l: 0, s: 0, n: 0}|{a: 1, b: {c: 2, d: 3}}",
                "{'b.c': 1, _id: 0}|{b: {c: 2}}",
                "{b: {d: 1}, _id: 0}|{b: {d: 3}}",
                "{'s.x': 1, _id: 0}|{s: [{x: 1}, {x: 2}]}",
                "{'s.x': 0, _id: 0, a: 0, b: 0, l: 0, n: 0}|{s: [{y: 1}, {y: 2}, 7]}",
                "{'n.x': 1, _id: 0}|{n: [[{x: 1}]]}",
                "{'a.z': 1, _id: 0}|{}",
                "{l: {$slice: 2}, _id: 0, a: 1}|{a: 1, l: [1, 2]}",
                "{l: {$slice: -1}, a: 0, b: 0, s: 0, n: 0}|{_id: 1, l: [4]}",
                "{l: {$slice: [1, 2]}, a: 0, b: 0, s: 0, n: 0}|{_id: 1, l: [2, 3]}",
                "{l: {$slice: [-3, 2]}, a: 0, b: 0, s: 0, n: 0}|{_id: 1, l: [2, 3]}",
                "{s: {$elemMatch: {x: 2}}, _id: 0}|{s: [{x: 2, y: 2}]}",
                "{s: {$elemMatch: {x: 9}}, _id: 0}|{}",
                "{'s.$': 1, _id: 0}|{s: [{x: 2, y: 2}]}",
                "{z: {$add: ['$a', '$b.c']}, _id: 0}|{z: 3}",
                "{z: '$b.d', w: 'text', _id: 0}|{z: 3, w: 'text'}",
                "{}|{_id: 1, a: 1, b: {c: 2, d: 3}, l: [1, 2, 3, 4], s: [{x: 1, y: 1}, {x: 2, y: 2}, 7], n: [[{x: 1}]]}"
            })
    void keepsWhatIsAskedFor(String projection, String expected) {
        Projector projector =
                Projector.of(Projection.parseFind(doc(projection)), FilterParser.parse(doc("{'s.x': 2}")), CONTEXT);
        assertThat(projector.apply(doc(DOCUMENT)).toBson())
                .isEqualTo(doc(expected).toBson());
    }
}
