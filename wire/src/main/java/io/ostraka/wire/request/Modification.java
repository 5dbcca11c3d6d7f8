package io.ostraka.wire.request;

import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.IDL_FAILED_TO_PARSE;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Fields;

/** How an update changes a document, undecoded. */
public sealed interface Modification {
    /** Update operators: {@code {$set: …}}. */
    record Operators(RawDocument update) implements Modification {}

    /** A whole new document. Its {@code _id} is the old one's. */
    record Replacement(RawDocument document) implements Modification {}

    /** A pipeline of stages: an array's bytes. */
    record Pipeline(RawDocument stages) implements Modification {}

    /** @throws io.ostraka.core.error.CommandException 9 where it is neither document nor array, or mixes both forms */
    static Modification parse(Fields fields, String name) {
        RawCursor value = fields.raw(name);
        if (value == null) {
            throw IDL_FAILED_TO_PARSE.because("BSON field 'update.updates.%s' is missing but a required field", name);
        }
        if (value.isArray()) {
            return new Pipeline(value.document());
        }
        if (!value.isDocument()) {
            throw FAILED_TO_PARSE.because("Update argument must be either an object or an array");
        }
        RawDocument document = value.document();
        String first = document.firstName();
        return first != null && first.startsWith("$") ? new Operators(document) : new Replacement(document);
    }
}
