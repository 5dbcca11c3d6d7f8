package io.ostraka.wire.request;

import static io.ostraka.core.error.ErrorCode.ILLEGAL_OPERATION;
import static io.ostraka.core.error.ErrorCode.INVALID_NAMESPACE;

import io.ostraka.wire.command.Fields;

/**
 * {@code renameCollection}.
 *
 * @param from the namespace as it is
 * @param to the namespace it gets
 * @param dropTarget whether a collection that has that name is dropped
 */
public record RenameRequest(String from, String to, boolean dropTarget) {
    public RenameRequest {
        for (String namespace : new String[] {from, to}) {
            int dot = namespace.indexOf('.');
            if (dot <= 0 || dot == namespace.length() - 1) {
                throw INVALID_NAMESPACE.because("Invalid namespace specified '%s'", namespace);
            }
        }
        if (from.equals(to)) {
            throw ILLEGAL_OPERATION.because("Can't rename a collection to itself");
        }
    }

    public static RenameRequest parse(Fields fields) {
        fields.raw("stayTemp");
        fields.raw("collectionUUID");
        return new RenameRequest(fields.ownString(), fields.requiredString("to"), fields.bool("dropTarget", false));
    }
}
