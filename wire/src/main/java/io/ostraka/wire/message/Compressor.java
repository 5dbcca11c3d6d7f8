package io.ostraka.wire.message;

import static io.ostraka.core.error.ErrorCode.PROTOCOL_ERROR;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.xerial.snappy.Snappy;

/** The ways to compress that both ends may agree on, in the order a server prefers them. */
public enum Compressor {
    SNAPPY(1, "snappy"),
    ZSTD(3, "zstd"),
    ZLIB(2, "zlib"),
    NOOP(0, "noop");

    private final int id;
    private final String word;

    Compressor(int id, String word) {
        this.id = id;
        this.word = word;
    }

    /** The number in OP_COMPRESSED. */
    public int id() {
        return id;
    }

    /** The name in {@code hello}. */
    public String word() {
        return word;
    }

    static Compressor of(int id) {
        for (Compressor compressor : values()) {
            if (compressor.id == id) {
                return compressor;
            }
        }
        throw PROTOCOL_ERROR.because("compressor %d is unknown", id);
    }

    public static Optional<Compressor> named(String word) {
        return Arrays.stream(values()).filter(known -> known.word.equals(word)).findFirst();
    }

    byte[] compress(byte[] bytes, int from, int length) {
        try {
            return switch (this) {
                case NOOP -> Arrays.copyOfRange(bytes, from, from + length);
                case SNAPPY -> {
                    byte[] room = new byte[Snappy.maxCompressedLength(length)];
                    yield Arrays.copyOf(room, Snappy.compress(bytes, from, length, room, 0));
                }
                case ZLIB -> deflate(bytes, from, length);
                case ZSTD -> {
                    byte[] room = new byte[(int) Zstd.compressBound(length)];
                    long size = Zstd.compressByteArray(
                            room, 0, room.length, bytes, from, length, Zstd.defaultCompressionLevel());
                    yield Arrays.copyOf(room, (int) size);
                }
            };
        } catch (IOException failed) {
            throw new IllegalStateException("compressing in memory does not fail", failed);
        }
    }

    private static byte[] deflate(byte[] bytes, int from, int length) {
        Deflater deflater = new Deflater();
        try {
            deflater.setInput(bytes, from, length);
            deflater.finish();
            byte[] room = new byte[length + length / 1000 + 64];
            int size = deflater.deflate(room);
            while (!deflater.finished()) {
                room = Arrays.copyOf(room, room.length * 2);
                size += deflater.deflate(room, size, room.length - size);
            }
            return Arrays.copyOf(room, size);
        } finally {
            deflater.end();
        }
    }

    /**
     * Decompresses into the array from an offset to its end, which must be exactly filled.
     *
     * @throws io.ostraka.core.error.CommandException 17 ProtocolError where the bytes are not what they say
     */
    void decompress(byte[] bytes, int from, int length, byte[] into, int at) {
        int size = into.length - at;
        int got;
        try {
            got = switch (this) {
                case NOOP -> copy(bytes, from, length, into, at);
                case SNAPPY ->
                    Snappy.uncompressedLength(bytes, from, length) == size
                            ? Snappy.uncompress(bytes, from, length, into, at)
                            : -1;
                case ZLIB -> inflate(bytes, from, length, into, at);
                case ZSTD -> {
                    long result = Zstd.decompressByteArray(into, at, size, bytes, from, length);
                    yield Zstd.isError(result) ? -1 : (int) result;
                }
            };
        } catch (IOException | DataFormatException | RuntimeException bad) {
            throw PROTOCOL_ERROR.because("a message compressed by %s cannot be read", word);
        }
        if (got != size) {
            throw PROTOCOL_ERROR.because("a message compressed by %s is not as long as it says", word);
        }
    }

    private static int copy(byte[] bytes, int from, int length, byte[] into, int at) {
        if (length != into.length - at) {
            return -1;
        }
        System.arraycopy(bytes, from, into, at, length);
        return length;
    }

    private static int inflate(byte[] bytes, int from, int length, byte[] into, int at) throws DataFormatException {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(bytes, from, length);
            int size = inflater.inflate(into, at, into.length - at);
            return inflater.finished() || size == into.length - at ? size : -1;
        } finally {
            inflater.end();
        }
    }
}
