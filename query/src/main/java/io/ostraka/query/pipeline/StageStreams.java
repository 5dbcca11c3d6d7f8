package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.DOCUMENTS_NOT_OBJECTS;
import static io.ostraka.core.error.ErrorCode.NEW_ROOT_NOT_OBJECT;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.query.expression.Evaluator;
import io.ostraka.query.expression.Scope;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.projection.Projector;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.Metadata;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.sort.BoundedSort;
import io.ostraka.query.sort.SpillForm;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.bson.BsonDouble;
import org.bson.BsonValue;

/** Opens stages as streams over streams. */
final class StageStreams {
    /** The fields in which the first half of a sample sends a document and its lot. */
    private static final String LOT = "lot";

    private static final String DRAWN = "document";

    private StageStreams() {}

    static DocumentStream open(Stage stage, DocumentStream input, RunContext context) {
        return switch (stage) {
            case Stage.Match match -> {
                DocumentTest test = FilterCompiler.compile(match.filter(), context);
                yield filtering(input, test, context);
            }
            case Stage.Project project -> {
                Projector projector = Projector.of(project.projection(), Filter.EVERYTHING, context);
                yield mapping(input, projector::apply);
            }
            case Stage.ReplaceRoot root -> mapping(input, document -> newRoot(root, document, context));
            case Stage.Unwind unwind -> new UnwindStream(unwind, input);
            case Stage.Group group -> {
                GroupRun run = new GroupRun(group, context);
                yield later(input, () -> run.run(input), run);
            }
            case Stage.Sort(var by, var limit) -> {
                BoundedSort<RawDocument> sort = new BoundedSort<>(
                        limit, context.limits().sortBytesMax(), DocumentForm.INSTANCE, context.spill());
                yield later(
                        input,
                        () -> {
                            forEach(
                                    input,
                                    context,
                                    document -> sort.add(
                                            by.keyOf(document, context.collation()), document, document.size()));
                            return sort.inOrder();
                        },
                        sort);
            }
            case Stage.Limit(var count) -> limiting(input, count);
            case Stage.Skip(var count) -> skipping(input, count);
            case Stage.Sample sample -> later(input, () -> sample(input, sample, context));
            case Stage.FromOutside _ -> input;
            case Stage.BucketAuto auto -> {
                BucketAutoRun run = new BucketAutoRun(auto, context);
                yield later(input, () -> run.run(input), run);
            }
            case Stage.WindowFields fields -> {
                WindowRun run = new WindowRun(fields, context);
                yield later(input, () -> run.run(input), run);
            }
            case Stage.Densify densify -> later(input, () -> new DensifyRun(densify, context).run(input));
            case Stage.Fill fill -> {
                FillRun run = new FillRun(fill, context);
                yield later(input, () -> run.run(input), run);
            }
            case Stage.Facet facet -> later(input, () -> FacetRun.run(facet, input, context));
            case Stage.GraphLookup lookup ->
                mapping(input, document -> GraphLookupRun.apply(lookup, document, context));
            case Stage.Lookup lookup -> new LookupStream(lookup, input, context);
            case Stage.Redact redact -> redacting(redact, input, context);
            case Stage.UnionWith union -> new UnionStream(union, input, context);
            case Stage.Out _, Stage.Merge _ ->
                throw new IllegalStateException("what writes is run by whoever opens the rest");
            case Stage.Tell _ -> input;
            case Stage.Untold _ -> mapping(input, Metadata::without);
            case Stage.GeoNear near -> mapping(input, document -> GeoNearRun.told(near, document, context));
            case Stage.Documents documents -> later(input, () -> documents(documents, context));
        };
    }

    /** A stream whose documents come from another one, which it closes. */
    private abstract static class Over implements DocumentStream {
        final DocumentStream input;

        Over(DocumentStream input) {
            this.input = input;
        }

        @Override
        public void close() {
            input.close();
        }
    }

    private static DocumentStream filtering(DocumentStream input, DocumentTest test, RunContext context) {
        return new Over(input) {
            @Override
            public RawDocument next() {
                RawDocument document = input.next();
                while (document != null && !test.test(document)) {
                    context.interruption().check();
                    document = input.next();
                }
                return document;
            }
        };
    }

    private static DocumentStream redacting(Stage.Redact redact, DocumentStream input, RunContext context) {
        return new Over(input) {
            @Override
            public RawDocument next() {
                for (RawDocument document = input.next(); document != null; document = input.next()) {
                    context.interruption().check();
                    RawDocument left = new Redacting(redact, context, document).result();
                    if (left != null) {
                        return left;
                    }
                }
                return null;
            }
        };
    }

    private static DocumentStream mapping(DocumentStream input, UnaryOperator<RawDocument> map) {
        return new Over(input) {
            @Override
            public RawDocument next() {
                RawDocument document = input.next();
                return document == null ? null : map.apply(document);
            }
        };
    }

    private static DocumentStream limiting(DocumentStream input, long count) {
        return new Over(input) {
            private long left = count;

            @Override
            public RawDocument next() {
                return left-- > 0 ? input.next() : null;
            }
        };
    }

    private static DocumentStream skipping(DocumentStream input, long count) {
        return new Over(input) {
            private long left = count;

            @Override
            public RawDocument next() {
                for (; left > 0; left--) {
                    if (input.next() == null) {
                        left = 0;
                        return null;
                    }
                }
                return input.next();
            }
        };
    }

    /** A stage that must see all its input first, when it is first pulled. */
    private static DocumentStream later(DocumentStream input, Supplier<Iterator<RawDocument>> all) {
        return later(input, all, () -> {});
    }

    /** Such a stage that holds something, given back when the stream is closed. */
    private static DocumentStream later(DocumentStream input, Supplier<Iterator<RawDocument>> all, Held held) {
        return new Over(input) {
            private Iterator<RawDocument> iterator;

            @Override
            public RawDocument next() {
                if (iterator == null) {
                    iterator = all.get();
                }
                return iterator.hasNext() ? iterator.next() : null;
            }

            @Override
            public void close() {
                held.close();
                super.close();
            }
        };
    }

    private static DocumentStream later(
            DocumentStream input, Supplier<Iterator<RawDocument>> all, BoundedSort<?> sort) {
        return later(input, all, (Held) sort::close);
    }

    /** What a stage holds until it is closed. */
    @FunctionalInterface
    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    /** Documents on disk are their own bytes. */
    enum DocumentForm implements SpillForm<RawDocument> {
        INSTANCE;

        @Override
        public byte[] encode(RawDocument document) {
            return document.toByteArray();
        }

        @Override
        public RawDocument decode(byte[] bytes) {
            return RawDocument.of(bytes);
        }
    }

    /** The documents of lists that are made when they are needed. */
    static Iterator<RawDocument> flat(Iterator<List<RawDocument>> lists, UnaryOperator<List<RawDocument>> change) {
        return new Iterator<>() {
            private Iterator<RawDocument> current = Collections.emptyIterator();

            @Override
            public boolean hasNext() {
                while (!current.hasNext() && lists.hasNext()) {
                    current = change.apply(lists.next()).iterator();
                }
                return current.hasNext();
            }

            @Override
            public RawDocument next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return current.next();
            }
        };
    }

    static void forEach(DocumentStream input, RunContext context, java.util.function.Consumer<RawDocument> taker) {
        for (RawDocument document = input.next(); document != null; document = input.next()) {
            context.interruption().check();
            taker.accept(document);
        }
    }

    private static RawDocument newRoot(Stage.ReplaceRoot root, RawDocument document, RunContext context) {
        BsonValue value = Evaluator.evaluate(root.newRoot(), new Scope(document, context));
        if (!value.isDocument()) {
            throw NEW_ROOT_NOT_OBJECT.because(
                    "'newRoot' expression must evaluate to an object, but resulting value was: %s. Type of resulting"
                            + " value: '%s'. Input document: %s",
                    Values.show(value), Values.typeName(value), Values.show(document.toBson()));
        }
        return RawDocument.of(value.asDocument());
    }

    /** Each document draws a lot, here or where it came from, and the smallest lots win: all have the same chance. */
    private static Iterator<RawDocument> sample(DocumentStream input, Stage.Sample sample, RunContext context) {
        BoundedSort<RawDocument> lots =
                new BoundedSort<>(sample.count(), context.limits().sortBytesMax());
        boolean drawn = sample.part() == Stage.Group.Part.COMBINE;
        forEach(input, context, document -> {
            BsonValue lot =
                    drawn ? document.get(LOT) : new BsonDouble(context.random().nextDouble());
            RawCursor own = drawn ? document.find(DRAWN) : null;
            if (drawn && (lot == null || own == null || !own.isDocument())) {
                throw BAD_VALUE.because("the second half of a $sample was given documents that no first half made");
            }
            RawDocument kept = document;
            if (sample.part() == Stage.Group.Part.PARTIAL) {
                kept = new RawBuilder(document.size() + 64)
                        .put(LOT, lot)
                        .put(DRAWN, document)
                        .build();
            }
            lots.add(KeyString.of(lot), kept, kept.size());
        });
        Iterator<RawDocument> winners = lots.inOrder();
        return drawn ? unwrapped(winners) : winners;
    }

    private static Iterator<RawDocument> unwrapped(Iterator<RawDocument> winners) {
        List<RawDocument> documents = new ArrayList<>();
        winners.forEachRemaining(
                winner -> documents.add(winner.find(DRAWN).document().compact()));
        return documents.iterator();
    }

    private static Iterator<RawDocument> documents(Stage.Documents documents, RunContext context) {
        BsonValue value = Evaluator.evaluate(documents.documents(), new Scope(RawDocument.EMPTY, context));
        if (!value.isArray() || !value.asArray().stream().allMatch(BsonValue::isDocument)) {
            throw DOCUMENTS_NOT_OBJECTS.because("$documents needs an array of objects, not %s", Values.show(value));
        }
        return value.asArray().stream()
                .map(each -> RawDocument.of(each.asDocument()))
                .iterator();
    }
}
