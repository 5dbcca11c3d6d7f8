/**
 * Servers to drive, each in a JVM of its own.
 *
 * <p>Way through: {@link io.ostraka.bench.target.TargetSpec} reads what the user named,
 * {@link io.ostraka.bench.target.TargetProcess} starts it, {@link io.ostraka.bench.target.ServerMain} runs in it.
 *
 * <p>Always: a child ends when its standard input does, so none outlives the driver.
 */
package io.ostraka.bench.target;
