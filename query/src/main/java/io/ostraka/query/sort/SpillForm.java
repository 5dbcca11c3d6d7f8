package io.ostraka.query.sort;

/**
 * How what is sorted is written to disk and read again.
 *
 * @param <T> what is sorted
 */
public interface SpillForm<T> {
    byte[] encode(T value);

    T decode(byte[] bytes);
}
