/**
 * The command line.
 *
 * <p><b>Way through.</b> {@link io.ostraka.server.cli.Main} picks the program: {@code cluster}, {@code mongod}, {@code
 * mongos}. Each reads its options, starts processes, and waits for the end.
 *
 * <p><b>Always.</b> What is wrong is said in a sentence on standard error, with an exit code launchers of MongoDB know
 * ({@link io.ostraka.server.cli.ExitCode}). Only this package touches standard streams, exits, or registers a shutdown hook.
 */
package io.ostraka.server.cli;
