package io.ostraka.core.placement;

import static io.ostraka.core.error.ErrorCode.PROTOCOL_ERROR;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Chunks as bytes, as config servers send them to routers and shards. Big-endian.
 *
 * <table>
 * <caption>Format 1, since 0.1</caption>
 * <tr><td>byte</td><td>format, 1</td></tr>
 * <tr><td>int, then for each: int, bytes</td><td>the shards' names: count, then length and UTF-8</td></tr>
 * <tr><td>int, then for each:</td><td>the chunks: count, then</td></tr>
 * <tr><td>int, bytes, int, bytes</td><td>lower and upper end: lengths and KeyStrings</td></tr>
 * <tr><td>int</td><td>the owner's place among the names</td></tr>
 * <tr><td>long</td><td>the version, {@link PlacementVersion#asLong}</td></tr>
 * </table>
 */
public final class ChunkCodec {
    private static final byte FORMAT = 1;

    private ChunkCodec() {}

    public static byte[] encode(List<Chunk> chunks) {
        Map<ShardId, Integer> places = new LinkedHashMap<>();
        int size = 1 + 4 + 4;
        for (Chunk chunk : chunks) {
            places.putIfAbsent(chunk.owner(), places.size());
            size += 4 + chunk.range().min().length + 4 + chunk.range().max().length + 4 + 8;
        }
        List<byte[]> names = new ArrayList<>();
        for (ShardId shard : places.keySet()) {
            names.add(shard.name().getBytes(StandardCharsets.UTF_8));
            size += 4 + names.getLast().length;
        }
        ByteBuffer out = ByteBuffer.allocate(size);
        out.put(FORMAT).putInt(names.size());
        for (byte[] name : names) {
            out.putInt(name.length).put(name);
        }
        out.putInt(chunks.size());
        for (Chunk chunk : chunks) {
            out.putInt(chunk.range().min().length).put(chunk.range().min());
            out.putInt(chunk.range().max().length).put(chunk.range().max());
            out.putInt(places.get(chunk.owner())).putLong(chunk.version());
        }
        return out.array();
    }

    /** @throws io.ostraka.core.error.CommandException 17 ProtocolError for a format this program does not know */
    public static List<Chunk> decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte format = in.get();
        if (format != FORMAT) {
            throw PROTOCOL_ERROR.because(
                    "Chunks came in format %d, this program knows format %d; run the same version everywhere",
                    format, FORMAT);
        }
        ShardId[] names = new ShardId[in.getInt()];
        for (int i = 0; i < names.length; i++) {
            names[i] = new ShardId(new String(take(in), StandardCharsets.UTF_8));
        }
        int count = in.getInt();
        List<Chunk> chunks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            KeyRange range = new KeyRange(take(in), take(in));
            chunks.add(new Chunk(range, names[in.getInt()], in.getLong()));
        }
        return chunks;
    }

    private static byte[] take(ByteBuffer in) {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        return bytes;
    }
}
