package io.ostraka.server.cli;

/** Exit codes, those of {@code mongod} where it has one for the case. */
enum ExitCode {
    CLEAN(0),
    BAD_OPTION(2),
    PORT_IN_USE(48),
    FAILED(100);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
