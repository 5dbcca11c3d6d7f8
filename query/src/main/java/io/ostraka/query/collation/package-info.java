/**
 * Rules by which strings compare: those of a language, from ICU, or by their bytes.
 *
 * <p><b>Way through.</b> {@link io.ostraka.query.collation.Collation} is read from a client's document and folds values:
 * each string becomes another whose bytes sort as the language sorts the first. What is folded is then compared, hashed
 * and made a key of like any other value, so that nothing else knows about languages.
 *
 * <p><b>Always.</b> Two strings fold to the same one exactly if they are equal under the collation. What is folded is
 * compared and never shown.
 *
 * <p><b>Bytes.</b> The folded string has one character of U+0001 to U+00FF for each byte of ICU's sort key. Keys of
 * indexes hold it; it is that of one ICU version, which the index's collation names.
 */
package io.ostraka.query.collation;
