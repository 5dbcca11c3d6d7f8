package io.ostraka.storage;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Big-endian numbers in keys, so that bytes sort as the numbers do. */
public final class Keys {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Keys() {}

    public static int getInt(byte[] key, int at) {
        return (int) INT.get(key, at);
    }

    public static long getLong(byte[] key, int at) {
        return (long) LONG.get(key, at);
    }

    public static void putInt(byte[] key, int at, int value) {
        INT.set(key, at, value);
    }

    public static void putLong(byte[] key, int at, long value) {
        LONG.set(key, at, value);
    }

    /** A number of four bytes as a key. */
    public static byte[] ofInt(int value) {
        byte[] key = new byte[4];
        putInt(key, 0, value);
        return key;
    }

    /** The first key after all that begin with these bytes, which are not all 0xFF. */
    public static byte[] after(byte[] prefix) {
        byte[] next = prefix.clone();
        for (int i = next.length - 1; i >= 0; i--) {
            next[i]++;
            if (next[i] != 0) {
                return i == next.length - 1 ? next : Arrays.copyOf(next, i + 1);
            }
        }
        throw new IllegalArgumentException("a prefix of 0xFF bytes alone has no end");
    }
}
