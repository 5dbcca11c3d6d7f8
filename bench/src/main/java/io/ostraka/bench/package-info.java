/**
 * Measures the program; never shipped with it.
 *
 * <p>Way through: {@link io.ostraka.bench.Main} picks between the load generator ({@code load}), which drives servers
 * in processes of their own ({@code target}) and the limits of the machine ({@code floor}), and JMH ({@code micro}).
 *
 * <p>Always: all targets of a run are visited in turn, round after round, so that ratios hold on a noisy machine; what
 * servers answer is checked.
 *
 * <p>Not here: tests; a figure decides nothing about correctness.
 */
package io.ostraka.bench;
