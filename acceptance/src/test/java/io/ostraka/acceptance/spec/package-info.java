/**
 * Specifications as data: pages of given, when, then in {@code acceptance/specs}, which run unchanged on one member and on
 * three shards.
 *
 * <p><b>A page.</b> Lines that begin at the margin are words; indented lines belong to the word above; {@code #} begins a
 * comment.
 *
 * <pre>
 * covers $inc, update           the table entries the page is about
 * shapes node                   only there; left out where the page runs everywhere
 * given things                  a fresh collection of these documents
 *   { _id: 1 }
 * when { count: "things" }      a command
 * when admin { ping: 1 }        or: one sent to another database
 * then { n: 1 }                 fields its reply has; of an error where they name writeErrors or a code
 * docs                          or: the documents of its cursor, in order; "docs any order" in any
 *   { _id: 1 }
 * fails BadValue                or: the code name of its error, in the reply or its first write error
 * pending 12                    before a when: a gap, with its issue; the build fails when it begins to pass
 * </pre>
 *
 * <p><b>Always.</b> Numbers are compared by value. Each page has a database of its own.
 */
package io.ostraka.acceptance.spec;
