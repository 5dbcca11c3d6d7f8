/**
 * How fast it is: {@link io.ostraka.bench.Load} drives a cluster of one JVM with the Java driver,
 * {@link io.ostraka.bench.Floors} measures what nothing here can be faster than, {@link io.ostraka.bench.HotPaths} are
 * JMH benchmarks. Not in the default build: {@code mvn -Pbench}.
 */
package io.ostraka.bench;
