package io.ostraka.server.process;

/** A process cannot start as it was told to. The message is a sentence for the operator. */
public final class StartRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean portInUse;

    public StartRefused(String sentence) {
        this(sentence, false, null);
    }

    private StartRefused(String sentence, boolean portInUse, Throwable cause) {
        super(sentence, cause);
        this.portInUse = portInUse;
    }

    /** The address cannot be listened on. */
    static StartRefused port(String host, int port, Throwable cause) {
        return new StartRefused(
                "Port " + port + " on " + host + " cannot be listened on: " + cause.getMessage()
                        + ". Stop what uses it, or choose another with --port.",
                true,
                cause);
    }

    /** Whether the port was the reason: launchers look for another exit code then. */
    public boolean isPortInUse() {
        return portInUse;
    }
}
