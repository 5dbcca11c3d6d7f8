package io.ostraka.storage;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads RocksDB's shared library, which the jar unpacks into a file, and deletes that file at once where the system allows it:
 * left to the end of the process it would stay behind each one that is killed, 15 MB every time.
 */
final class NativeLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);

    /** Set by operators who unpacked the library themselves. */
    private static final String OWN_PLACE = "ROCKSDB_SHAREDLIB_DIR";

    private static boolean loaded;

    private NativeLibrary() {}

    static synchronized void load() {
        if (loaded) {
            return;
        }
        if (System.getenv(OWN_PLACE) == null) {
            unpack();
        }
        RocksDB.loadLibrary(); // knows by now where it is
        loaded = true;
    }

    private static void unpack() {
        Path folder = null;
        try {
            folder = Files.createTempDirectory("ostraka-rocksdb-");
            NativeLibraryLoader.getInstance().loadLibrary(folder.toString());
        } catch (IOException failed) {
            LOG.debug("the library could not be unpacked; it is looked for elsewhere", failed);
        } finally {
            if (folder != null) {
                forget(folder);
            }
        }
    }

    private static void forget(Path folder) {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        } catch (IOException inUse) {
            LOG.debug("a loaded library cannot be deleted here; the virtual machine does it when it ends", inUse);
        }
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException inUse) {
            folder.toFile().deleteOnExit();
        } catch (IOException failed) {
            LOG.debug("{} stays behind", folder, failed);
        }
    }
}
