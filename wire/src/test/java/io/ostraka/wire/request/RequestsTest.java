package io.ostraka.wire.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.wire.command.Fields;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** The words of commands: what is taken, and with which code the rest is refused. */
class RequestsTest {
    private static <R> R parse(Function<Fields, R> grammar, String json) {
        RawDocument body = RawDocument.of(BsonDocument.parse(json));
        Fields fields = new Fields(body.firstName(), "db", body, Map.of());
        R request = grammar.apply(fields);
        fields.refuseUnknown();
        return request;
    }

    private static void refused(int code, Function<Fields, ?> grammar, String json) {
        assertThatThrownBy(() -> parse(grammar, json))
                .as(json)
                .isInstanceOfSatisfying(
                        CommandException.class,
                        error -> assertThat(error.code().number()).isEqualTo(code));
    }

    @Test
    void find() {
        FindRequest find = parse(
                FindRequest::parse,
                "{find: 'c', filter: {a: 1}, sort: {b: -1}, skip: 2, limit: 3.0, batchSize: NumberLong(4),"
                        + " projection: {a: 1}, hint: 'a_1', singleBatch: true, lsid: {}, $db: 'db', comment: 'x'}");
        assertThat(find.skip()).isEqualTo(2);
        assertThat(find.limit()).isEqualTo(3);
        assertThat(find.firstBatch()).isEqualTo(4);
        assertThat(parse(FindRequest::parse, "{find: 'c'}").firstBatch()).isEqualTo(101);
        refused(51024, FindRequest::parse, "{find: 'c', batchSize: -1}");
        refused(51024, FindRequest::parse, "{find: 'c', limit: -1}");
        refused(2, FindRequest::parse, "{find: 'c', limit: 1.5}");
        refused(14, FindRequest::parse, "{find: 'c', filter: 1}");
        refused(14, FindRequest::parse, "{find: 'c', hint: 1}");
        refused(40415, FindRequest::parse, "{find: 'c', nothing: 1}");
        refused(73, FindRequest::parse, "{find: ''}");
        refused(73, FindRequest::parse, "{find: 1}");
        refused(73, FindRequest::parse, "{find: 'a$b'}");
        refused(9, FindRequest::parse, "{find: 'c', awaitData: true}");
    }

    private static RawDocument twice(String name, int others) {
        RawBuilder body = new RawBuilder().put("find", "c");
        for (int i = 0; i < others; i++) {
            body.put("x" + i, i);
        }
        return body.put(name, 1).put(name, 2).build();
    }

    private static void refused(int code, RawDocument body, Map<String, List<RawDocument>> sequences, boolean lenient) {
        assertThatThrownBy(() -> {
                    Fields fields = new Fields("find", "db", body, sequences);
                    if (lenient) {
                        fields.ignoreUnknown();
                    }
                    fields.documents("documents");
                    fields.refuseUnknown();
                })
                .isInstanceOfSatisfying(
                        CommandException.class,
                        error -> assertThat(error.code().number()).isEqualTo(code));
    }

    @Test
    void fieldsThatAreSentTwiceOrInMasses() {
        refused(40413, twice("filter", 0), Map.of(), true);
        refused(40413, twice("filter", 40), Map.of(), true);
        refused(40413, twice("find", 0), Map.of(), true);
        refused(40415, twice("filter", 0), Map.of(), false); // unknown comes first
        refused(40415, twice("filter", 5_000), Map.of(), true);
        RawDocument both = new RawBuilder()
                .put("find", "c")
                .putArray("documents", RawDocument.EMPTY)
                .build();
        refused(40413, both, Map.of("documents", List.of(RawDocument.EMPTY)), false);
        refused(40415, RawDocument.EMPTY, Map.of("others", List.of(RawDocument.EMPTY)), false);
    }

    @Test
    void writes() {
        UpdateRequest update = parse(
                UpdateRequest::parse,
                "{update: 'c', updates: [{q: {}, u: {$set: {a: 1}}}, {q: {}, u: {a: 1}, upsert: true},"
                        + " {q: {}, u: [{$set: {a: 1}}], multi: true}], ordered: false}");
        assertThat(update.ordered()).isFalse();
        assertThat(update.statements().get(0).update()).isInstanceOf(Modification.Operators.class);
        assertThat(update.statements().get(1).update()).isInstanceOf(Modification.Replacement.class);
        assertThat(update.statements().get(2).update()).isInstanceOf(Modification.Pipeline.class);
        refused(16, InsertRequest::parse, "{insert: 'c', documents: []}");
        refused(40414, InsertRequest::parse, "{insert: 'c'}");
        refused(14, InsertRequest::parse, "{insert: 'c', documents: [1]}");
        refused(40414, UpdateRequest::parse, "{update: 'c', updates: [{q: {}}]}");
        refused(9, UpdateRequest::parse, "{update: 'c', updates: [{q: {}, u: 1}]}");
        refused(40415, UpdateRequest::parse, "{update: 'c', updates: [{q: {}, u: {}, x: 1}]}");
        refused(9, DeleteRequest::parse, "{delete: 'c', deletes: [{q: {}, limit: 2}]}");
        refused(40414, DeleteRequest::parse, "{delete: 'c', deletes: [{q: {}}]}");
        refused(9, FindAndModifyRequest::parse, "{findAndModify: 'c'}");
        refused(9, FindAndModifyRequest::parse, "{findAndModify: 'c', remove: true, update: {}}");
        refused(9, FindAndModifyRequest::parse, "{findAndModify: 'c', remove: true, new: true}");
    }

    @Test
    void others() {
        assertThat(parse(CountRequest::parse, "{count: 'c', limit: -5}").limit())
                .isEqualTo(5);
        refused(51024, CountRequest::parse, "{count: 'c', skip: -1}");
        assertThat(parse(AggregateRequest::parse, "{aggregate: 1, pipeline: [], cursor: {}}")
                        .collection())
                .isEmpty();
        refused(9, AggregateRequest::parse, "{aggregate: 'c', pipeline: []}");
        refused(9, AggregateRequest::parse, "{aggregate: 2, pipeline: [], cursor: {}}");
        refused(2, AggregateRequest::parse, "{aggregate: 'c', pipeline: [], cursor: {batchSize: -1}}");
        assertThat(parse(DropIndexesRequest::parse, "{dropIndexes: 'c', index: '*'}")
                        .which())
                .isInstanceOf(DropIndexesRequest.Which.All.class);
        assertThat(parse(DropIndexesRequest::parse, "{dropIndexes: 'c', index: ['a', 'b']}")
                        .which())
                .isEqualTo(new DropIndexesRequest.Which.Named(java.util.List.of("a", "b")));
        refused(14, DropIndexesRequest::parse, "{dropIndexes: 'c', index: 1}");
        refused(2, CreateIndexesRequest::parse, "{createIndexes: 'c', indexes: []}");
        refused(20, RenameRequest::parse, "{renameCollection: 'a.b', to: 'a.b'}");
        refused(73, RenameRequest::parse, "{renameCollection: 'ab', to: 'a.b'}");
        refused(2, ExplainRequest::parse, "{explain: {find: 'c'}, verbosity: 'much'}");
    }
}
