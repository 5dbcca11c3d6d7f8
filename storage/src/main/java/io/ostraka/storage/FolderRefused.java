package io.ostraka.storage;

/** A data folder that this program must not open. The message is a sentence for the operator. */
public final class FolderRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FolderRefused(String sentence) {
        super(sentence);
    }

    FolderRefused(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
