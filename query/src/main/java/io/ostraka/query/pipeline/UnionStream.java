package io.ostraka.query.pipeline;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.RunContext;

/** {@code $unionWith}: the documents that come, then the other collection's. */
final class UnionStream implements DocumentStream {
    private final Stage.UnionWith stage;
    private final DocumentStream input;
    private final RunContext context;
    private DocumentStream other;

    UnionStream(Stage.UnionWith stage, DocumentStream input, RunContext context) {
        this.stage = stage;
        this.input = input;
        this.context = context;
    }

    @Override
    public RawDocument next() {
        if (other == null) {
            RawDocument own = input.next();
            if (own != null) {
                return own;
            }
            other = context.foreign()
                    .read(stage.from(), stage.pipeline(), stage.outer().toLet());
        }
        return other.next();
    }

    @Override
    public void close() {
        try (input) {
            if (other != null) {
                other.close();
            }
        }
    }
}
