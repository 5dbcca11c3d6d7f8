/**
 * The load generator: the official driver, many threads, answers checked.
 *
 * <p>Way through: {@link io.ostraka.bench.load.LoadCommand} reads the options, {@link io.ostraka.bench.load.Run} visits
 * the targets in turn with each {@link io.ostraka.bench.load.Work}, {@link io.ostraka.bench.load.Report} prints.
 *
 * <p>Always: a work's data is made once per target before the first round; each round measures for a set time.
 */
package io.ostraka.bench.load;
