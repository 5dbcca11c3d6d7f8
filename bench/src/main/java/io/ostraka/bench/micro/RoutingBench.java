package io.ostraka.bench.micro;

import io.ostraka.core.placement.Chunk;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A routing table of a million chunks: who owns a key, and a changed copy. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(
        value = 1,
        jvmArgs = {"-Xmx1g", "-XX:+UseCompactObjectHeaders"})
public class RoutingBench {
    private static final int KEYS = 1 << 16;

    private final RoutingTable table = RoutingMemory.table(RoutingMemory.CHUNKS);
    private final byte[][] keys = new byte[KEYS][];
    private int next;

    public RoutingBench() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < KEYS; i++) {
            keys[i] = RoutingMemory.key(table.key(), random.nextLong(RoutingMemory.CHUNKS * 1_000L));
        }
    }

    @Benchmark
    public ShardId owner() {
        return table.ownerOf(keys[next++ & KEYS - 1]);
    }

    @Benchmark
    public RoutingTable changed() {
        Chunk old = table.chunkOf(keys[next++ & KEYS - 1]);
        return table.with(List.of(new Chunk(old.range(), new ShardId("shard1"), 2L << 32)));
    }
}
