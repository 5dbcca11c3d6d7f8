package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.BSON_OBJECT_TOO_LARGE;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.RunContext;
import java.util.Iterator;
import java.util.List;

/** One {@code $facet} being run: its documents are held, and each pipeline runs over them in turn. */
final class FacetRun {
    private static final int DOCUMENT_BYTES_MAX = 16 << 20;

    private FacetRun() {}

    static Iterator<RawDocument> run(Stage.Facet facet, DocumentStream input, RunContext context) {
        HeldDocuments held = new HeldDocuments("$facet", context.limits().sortBytesMax());
        StageStreams.forEach(input, context, held::add);
        RawBuilder result = new RawBuilder();
        facet.pipelines().forEach((name, pipeline) -> {
            result.openArray(name);
            int at = 0;
            try (DocumentStream stream = pipeline.open(DocumentStream.of(held.all()), context)) {
                for (RawDocument next = stream.next(); next != null; next = stream.next()) {
                    context.interruption().check();
                    result.put(Integer.toString(at++), next);
                    if (result.size() > DOCUMENT_BYTES_MAX) {
                        throw BSON_OBJECT_TOO_LARGE.because(
                                "the document of a $facet is larger than %d bytes; unwind or limit what it gathers",
                                DOCUMENT_BYTES_MAX);
                    }
                }
            }
            result.close();
        });
        return List.of(result.build()).iterator();
    }
}
