package io.ostraka.core.time;

import io.ostraka.core.Allowed;
import java.security.SecureRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.bson.types.ObjectId;

/** Makes identifiers from a given clock and randomness, so that a seed repeats them. Safe for many threads if the generator is. */
public final class Ids {
    private final Clock clock;
    private final RandomGenerator random;

    public Ids(Clock clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    /** Identifiers nobody can guess, for use outside simulation. */
    @Allowed("the one place that takes randomness from the machine")
    public static Ids system() {
        return new Ids(Clock.SYSTEM, new SecureRandom());
    }

    /** A random (version 4) UUID. */
    public UUID uuid() {
        long high = random.nextLong() & 0xFFFFFFFFFFFF0FFFL | 0x4000L;
        long low = random.nextLong() & 0x3FFFFFFFFFFFFFFFL | 0x8000000000000000L;
        return new UUID(high, low);
    }

    /** An ObjectId of the present second. The other eight bytes are random: nothing here needs them to rise. */
    public ObjectId objectId() {
        byte[] bytes = new byte[12];
        random.nextBytes(bytes);
        int seconds = (int) (clock.wallMillis() / 1000);
        bytes[0] = (byte) (seconds >> 24);
        bytes[1] = (byte) (seconds >> 16);
        bytes[2] = (byte) (seconds >> 8);
        bytes[3] = (byte) seconds;
        return new ObjectId(bytes);
    }

    /** A random long, for cursor ids and seeds. */
    public long random() {
        return random.nextLong();
    }
}
