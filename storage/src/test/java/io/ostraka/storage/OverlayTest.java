package io.ostraka.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows laid over a view read as if they were in the database. */
class OverlayTest {
    private static final int ROUNDS = 300;
    private static final int MOVES = 60;

    @TempDir
    Path folder;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    private byte[] key() {
        byte[] key = new byte[1 + random.nextInt(2)];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (random.nextInt(6) * 50);
        }
        return key;
    }

    @Test
    void walksAgreeWithASortedMapInAllDirections() {
        try (StorageResources resources = StorageResources.open(StorageLimits.DEFAULT);
                Engine engine = Engine.open(folder.resolve("db"), resources, Engine.Journal.SYNCED)) {
            TreeMap<byte[], byte[]> stored = new TreeMap<>(Arrays::compareUnsigned);
            for (int round = 0; round < ROUNDS; round++) {
                change(engine, stored);
                TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
                model.putAll(stored);
                Overlay overlay = new Overlay();
                for (int i = random.nextInt(12); i > 0; i--) {
                    byte[] key = key();
                    if (random.nextBoolean()) {
                        byte[] value = {(byte) i};
                        overlay.put(Family.INDEX, key, value);
                        model.put(key, value);
                    } else {
                        overlay.delete(Family.INDEX, key);
                        model.remove(key);
                    }
                }
                byte[] one = key();
                byte[] other = key();
                boolean inOrder = Arrays.compareUnsigned(one, other) <= 0;
                byte[] from = inOrder ? one : other;
                byte[] to = inOrder ? other : one;
                try (ReadView view = engine.read(overlay)) {
                    byte[] any = key();
                    assertThat(view.get(Family.INDEX, any)).as("seed %d", seed).isEqualTo(model.get(any));
                    try (Rows rows = view.rows(Family.INDEX, from, to)) {
                        walk(rows, new TreeMap<>(model.subMap(from, true, to, false)));
                    }
                }
            }
        }
    }

    private void change(Engine engine, TreeMap<byte[], byte[]> stored) {
        try (Batch batch = engine.batch()) {
            for (int i = 0; i < 4; i++) {
                byte[] key = key();
                if (random.nextInt(3) > 0) {
                    byte[] value = {(byte) (100 + i)};
                    batch.put(Family.INDEX, key, value);
                    stored.put(key, value);
                } else {
                    batch.delete(Family.INDEX, key);
                    stored.remove(key);
                }
            }
            engine.write(batch);
        }
    }

    private void walk(Rows rows, TreeMap<byte[], byte[]> model) {
        Map.Entry<byte[], byte[]> at = null;
        for (int move = 0; move < MOVES; move++) {
            boolean on;
            byte[] wanted = key();
            switch (at == null ? random.nextInt(4) : random.nextInt(8)) {
                case 0 -> {
                    on = rows.first();
                    at = model.firstEntry();
                }
                case 1 -> {
                    on = rows.last();
                    at = model.lastEntry();
                }
                case 2 -> {
                    on = rows.seek(wanted);
                    at = model.ceilingEntry(wanted);
                }
                case 3 -> {
                    on = rows.seekBack(wanted);
                    at = model.floorEntry(wanted);
                }
                case 4, 5 -> {
                    on = rows.next();
                    at = model.higherEntry(at.getKey());
                }
                default -> {
                    on = rows.previous();
                    at = model.lowerEntry(at.getKey());
                }
            }
            assertThat(on).as("seed %d", seed).isEqualTo(at != null);
            if (at != null) {
                assertThat(rows.key()).as("seed %d", seed).isEqualTo(at.getKey());
                assertThat(rows.value()).as("seed %d", seed).isEqualTo(at.getValue());
            }
        }
    }
}
