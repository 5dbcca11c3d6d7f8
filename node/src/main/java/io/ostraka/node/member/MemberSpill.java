package io.ostraka.node.member;

import static io.ostraka.core.error.ErrorCode.OUT_OF_DISK_SPACE;

import io.ostraka.query.run.SpillSpace;
import io.ostraka.storage.SpillFolder;

/** Lets queries spill into a member's folder of temporary files. */
final class MemberSpill implements SpillSpace {
    private final SpillFolder folder;

    MemberSpill(SpillFolder folder) {
        this.folder = folder;
    }

    @Override
    public Writer begin() {
        SpillFolder.Writer file = folder.begin();
        return new Writer() {
            @Override
            public void add(byte[] row) {
                if (!file.add(row)) {
                    throw OUT_OF_DISK_SPACE.because(
                            "the temporary files of queries have reached their bound of %d bytes: sort or group less at"
                                    + " once",
                            SpillFolder.BYTES_MAX);
                }
            }

            @Override
            public Run end() {
                return reading(file.end());
            }

            @Override
            public void close() {
                file.close();
            }
        };
    }

    private static Run reading(SpillFolder.Reader file) {
        return new Run() {
            @Override
            public byte[] next() {
                return file.next().orElse(null);
            }

            @Override
            public void close() {
                file.close();
            }
        };
    }
}
