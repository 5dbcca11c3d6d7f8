package io.ostraka.node.change;

import io.ostraka.core.bson.RawDocument;
import java.util.Arrays;
import java.util.Optional;

/** Bytes being written, in the forms of the package page. One thread. */
final class ProposalSink {
    private byte[] bytes;
    private int length;

    ProposalSink(int expected) {
        bytes = new byte[expected];
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }

    void raw(byte value) {
        reserve(1);
        bytes[length++] = value;
    }

    void eight(long value) {
        reserve(8);
        for (int shift = 56; shift >= 0; shift -= 8) {
            bytes[length++] = (byte) (value >>> shift);
        }
    }

    void number(long value) {
        reserve(10);
        long left = value;
        while ((left & ~0x7FL) != 0) {
            bytes[length++] = (byte) (left & 0x7F | 0x80);
            left >>>= 7;
        }
        bytes[length++] = (byte) left;
    }

    void signed(long value) {
        number(value << 1 ^ value >> 63);
    }

    void bytes(byte[] value) {
        number(value.length);
        append(value, 0, value.length);
    }

    void document(RawDocument document) {
        append(document.array(), document.offset(), document.size());
    }

    void optional(Optional<RawDocument> document) {
        raw((byte) (document.isPresent() ? 1 : 0));
        document.ifPresent(this::document);
    }

    private void append(byte[] from, int at, int size) {
        reserve(size);
        System.arraycopy(from, at, bytes, length, size);
        length += size;
    }

    byte[] toByteArray() {
        return bytes.length == length ? bytes : Arrays.copyOf(bytes, length);
    }
}
