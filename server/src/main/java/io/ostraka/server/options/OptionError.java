package io.ostraka.server.options;

/** A bad option. The message is a sentence for who typed it. */
public final class OptionError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public OptionError(String sentence) {
        super(sentence);
    }
}
