package io.ostraka.core.key;

/** The class bytes of {@link KeyString}, as the package page specifies them. */
final class KeyCode {
    static final int BEFORE = 0x01;
    static final int END = 0x04;
    static final int MIN_KEY = 0x0A;
    static final int UNDEFINED = 0x0F;
    static final int NULL = 0x14;
    static final int NAN = 0x1E;
    static final int NEGATIVE_INFINITE = 0x20;
    static final int NEGATIVE_LARGE = 0x21;
    /** Less n for a whole part of n bytes, 1 to 8. */
    static final int NEGATIVE_WHOLE = 0x2A;

    static final int ZERO = 0x2B;
    /** Plus n for a whole part of n bytes, 1 to 8. */
    static final int POSITIVE_WHOLE = 0x2B;

    static final int POSITIVE_LARGE = 0x34;
    static final int POSITIVE_INFINITE = 0x35;
    static final int STRING = 0x3C;
    static final int DOCUMENT = 0x46;
    static final int ARRAY = 0x50;
    static final int BINARY = 0x5A;
    static final int OBJECT_ID = 0x64;
    static final int BOOLEAN = 0x6E;
    static final int DATE = 0x78;
    static final int TIMESTAMP = 0x82;
    static final int REGEX = 0x8C;
    static final int DB_POINTER = 0x96;
    static final int CODE = 0xA0;
    static final int CODE_WITH_SCOPE = 0xAA;
    static final int MAX_KEY = 0xF0;
    static final int AFTER = 0xFE;

    /** Type bits. */
    static final int INT32 = 0;

    static final int INT64 = 1;
    static final int DOUBLE = 2;
    static final int NEGATIVE_ZERO = 3;
    static final int DECIMAL = 4;
    static final int NEGATIVE_DECIMAL_ZERO = 5;
    static final int PLAIN_STRING = 0;
    static final int SYMBOL = 1;

    /** Added to a decimal's exponent so that two unsigned bytes hold it. */
    static final int EXPONENT_BIAS = 7000;

    static final int DECIMAL_DIGITS = 34;

    private KeyCode() {}
}
