/**
 * Words: what text indexes and {@code $text} make of strings.
 *
 * <p><b>Way through.</b> {@link io.ostraka.query.text.TextRules} says which strings of a document count, and in which
 * language; {@link io.ostraka.query.text.TextStems} gives an index its keys, and {@link io.ostraka.query.text.TextQuery}
 * finds out how well documents match.
 *
 * <p><b>Always.</b> A document that matches has at least one of the query's stems. Stop words and stems are Lucene's.
 */
package io.ostraka.query.text;
