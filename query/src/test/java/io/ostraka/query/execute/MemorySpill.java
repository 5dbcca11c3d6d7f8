package io.ostraka.query.execute;

import io.ostraka.query.run.SpillSpace;
import java.util.ArrayDeque;
import java.util.Deque;

/** A space for runs in memory, that counts them. */
public final class MemorySpill implements SpillSpace {
    private int begun;
    private int open;

    /** Runs begun so far. */
    public int begun() {
        return begun;
    }

    /** Runs that take space now. */
    public int open() {
        return open;
    }

    @Override
    public Writer begin() {
        begun++;
        open++;
        Deque<byte[]> rows = new ArrayDeque<>();
        return new Writer() {
            private boolean ended;

            @Override
            public void add(byte[] row) {
                rows.add(row.clone());
            }

            @Override
            public Run end() {
                ended = true;
                return new Run() {
                    @Override
                    public byte[] next() {
                        return rows.poll();
                    }

                    @Override
                    public void close() {
                        open--;
                    }
                };
            }

            @Override
            public void close() {
                if (!ended) {
                    ended = true;
                    open--;
                }
            }
        };
    }
}
