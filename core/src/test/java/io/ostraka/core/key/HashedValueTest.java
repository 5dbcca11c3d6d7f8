package io.ostraka.core.key;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HashedValueTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{v: 42}|-944302157085130861",
                "{v: 0}|4854801880128277513",
                "{v: 1}|5902408780260971510",
                "{v: 1.0}|5902408780260971510",
                "{v: 1.99999}|5902408780260971510",
                "{v: {$numberLong: '1'}}|5902408780260971510",
                "{v: {$numberDecimal: '1.5'}}|5902408780260971510",
                "{v: {$numberDouble: 'NaN'}}|4854801880128277513",
                "{v: null}|2338878944348059895",
                "{v: 'a'}|2780795045148116090"
            })
    void isThePublishedHash(String document, long hash) {
        assertThat(HashedValue.of(BsonDocument.parse(document).get("v"))).isEqualTo(hash);
    }
}
