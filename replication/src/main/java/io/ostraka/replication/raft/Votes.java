package io.ostraka.replication.raft;

import io.ostraka.core.file.Durable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The last vote this member gave, noted a second time with a checksum before the vote leaves: Ratis's own file of term and vote
 * ({@code raft-meta}) has none, and one flipped digit in it would let a member vote twice in a term. Safe for many threads.
 *
 * <pre>
 * votes: incarnation term candidate\n checksum of the line before, CRC32C in hexadecimal\n
 * </pre>
 */
final class Votes {
    static final String FILE = "votes";

    private record Vote(UUID incarnation, long term, String candidate) {
        String line() {
            return incarnation + " " + term + " " + candidate;
        }
    }

    private final Path file;
    private final UUID incarnation;
    private Vote last;

    /**
     * @param folder the group's
     * @throws RaftFailure if the file is damaged
     */
    Votes(Path folder, UUID incarnation) {
        this.incarnation = incarnation;
        file = folder.resolve(FILE);
        last = read();
    }

    /** Notes a vote for good; nothing is written for one that is known. Votes of older terms are not noted. */
    synchronized void note(long term, String candidate) throws IOException {
        Vote vote = new Vote(incarnation, term, candidate);
        if (vote.equals(last) || last.incarnation().equals(incarnation) && term < last.term()) {
            return;
        }
        Durable.replace(file, vote.line() + "\n" + checksum(vote.line()) + "\n");
        last = vote;
    }

    /**
     * Compares what Ratis has kept with the last vote noted here.
     *
     * @throws RaftFailure if Ratis's file is damaged, older or gone
     */
    void check(Path groupFolder) {
        Path meta = groupFolder.resolve("current").resolve("raft-meta");
        if (!last.incarnation().equals(incarnation) || last.term() == 0) {
            return; // this group has not voted yet
        }
        Properties kept = new Properties();
        try (var in = Files.newBufferedReader(meta, StandardCharsets.UTF_8)) {
            kept.load(in);
        } catch (IOException | IllegalArgumentException e) {
            throw damaged(meta, e);
        }
        long term;
        try {
            term = Long.parseLong(kept.getProperty("term", ""));
        } catch (NumberFormatException e) {
            throw damaged(meta, e);
        }
        // A later term than the last vote's is known from others; to take one for later than it is does no harm.
        boolean other = term == last.term() && !last.candidate().equals(kept.getProperty("votedFor"));
        if (term < last.term() || other) {
            throw damaged(meta, null);
        }
    }

    private Vote read() {
        if (!Files.exists(file)) {
            return new Vote(incarnation, 0, "");
        }
        try {
            List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
            if (lines.size() != 2 || !checksum(lines.get(0)).equals(lines.get(1))) {
                throw damaged(file, null);
            }
            String[] words = lines.get(0).split(" ", -1);
            return new Vote(UUID.fromString(words[0]), Long.parseLong(words[1]), words[2]);
        } catch (java.nio.charset.CharacterCodingException e) {
            throw damaged(file, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String checksum(String line) {
        CRC32C checksum = new CRC32C();
        checksum.update(line.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(checksum.getValue());
    }

    private static RaftFailure damaged(Path file, Exception cause) {
        return new RaftFailure(
                "the checksum of this member's vote says that " + file
                        + " is damaged. Empty this member's folder, remove"
                        + " it from its set and add it again: then it is filled",
                cause);
    }
}
