package io.ostraka.node.change;

import io.ostraka.core.bson.RawDocument;
import java.util.Arrays;
import java.util.Optional;

/** Bytes being read, in the forms of the package page. One thread. */
final class ProposalSource {
    private final byte[] bytes;
    private int at;

    ProposalSource(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean hasMore() {
        return at < bytes.length;
    }

    byte raw() {
        return bytes[at++];
    }

    long eight() {
        long value = 0;
        for (int i = 0; i < 8; i++) {
            value = value << 8 | bytes[at++] & 0xFF;
        }
        return value;
    }

    long number() {
        long value = 0;
        int shift = 0;
        while (true) {
            byte next = bytes[at++];
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
            shift += 7;
        }
    }

    long signed() {
        long value = number();
        return value >>> 1 ^ -(value & 1);
    }

    byte[] bytes() {
        int size = (int) number();
        at += size;
        return Arrays.copyOfRange(bytes, at - size, at);
    }

    RawDocument document() {
        RawDocument document = RawDocument.at(bytes, at);
        at += document.size();
        return document;
    }

    Optional<RawDocument> optional() {
        return raw() == 1 ? Optional.of(document()) : Optional.empty();
    }
}
