/** What text indexes and {@code $text} make of strings: languages, words and how much they weigh. */
package io.ostraka.query.text;
