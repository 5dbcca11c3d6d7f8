/**
 * Bytes that order records and index entries.
 *
 * <p><b>Way through.</b> {@link io.ostraka.core.key.KeyStringBuilder} takes values and gives a
 * {@link io.ostraka.core.key.KeyString}, or bounds before and after all keys with a prefix. A
 * {@link io.ostraka.core.key.RecordId} is where a document is stored. {@link io.ostraka.core.key.HashedValue} is the
 * hash that hashed indexes and shard keys use.
 *
 * <p><b>Always.</b> Unsigned comparison of the bytes is {@link io.ostraka.core.bson.ValueOrder}; equal values have
 * equal bytes; no key is a prefix of another, so a RecordId may follow.
 *
 * <p><b>Bytes of a KeyString (format 1).</b> Values one after another, then {@code 04}. A bound ends with {@code 01}
 * (before all that begins so) or {@code FE} (after). All bytes of a descending value are inverted. "be" is big-endian.
 *
 * <table>
 * <caption>Values</caption>
 * <tr><td>0A, 0F, 14, F0</td><td>MinKey, undefined (also an empty array in an index), null (also missing), MaxKey</td></tr>
 * <tr><td>1E, 20, 35</td><td>NaN, -∞, ∞</td></tr>
 * <tr><td>2B</td><td>zero</td></tr>
 * <tr><td>2B + n</td><td>positive with a whole part below 2^63: n bytes be of (whole × 2 + 1 if a fraction follows); the fraction as <i>floor</i></td></tr>
 * <tr><td>34</td><td>positive from 2^63: <i>floor</i></td></tr>
 * <tr><td>2A - n, 21</td><td>the same for negative numbers, what follows inverted</td></tr>
 * <tr><td><i>floor</i></td><td>8 bytes be: the bits of the greatest double not above the magnitude; then 00 if it is exact, else 01, 2 bytes be (digits before the point + 7000), 15 bytes be (34 decimal digits)</td></tr>
 * <tr><td>3C, A0</td><td>string or symbol, code: UTF-8 with 00 as 00 FF, then 00</td></tr>
 * <tr><td>46</td><td>document: per field (canonical type + 2), name, 00, value; then 00</td></tr>
 * <tr><td>50</td><td>array: values, then 00</td></tr>
 * <tr><td>5A</td><td>binary: length (4 be), subtype, bytes</td></tr>
 * <tr><td>64, 6E</td><td>ObjectId: 12 bytes; boolean: 00 or 01</td></tr>
 * <tr><td>78, 82</td><td>date: 8 be, sign flipped; timestamp: 8 be</td></tr>
 * <tr><td>8C</td><td>regular expression: pattern, 00, options, 00</td></tr>
 * <tr><td>96, AA</td><td>DBPointer: size (4 be), bytes; code with scope: code as above, document</td></tr>
 * </table>
 *
 * <p><b>Type bits.</b> One byte per number or string in the order of the key: 0 int32 or string, 1 int64 or symbol,
 * 2 double, 3 double -0, 4 decimal and 5 decimal -0 with two more bytes be (exponent + 7000). Left out where all are 0.
 *
 * <p><b>Not here.</b> Which keys a document has in an index is in {@code query.index}.
 */
package io.ostraka.core.key;
