/**
 * Keeps {@code docs/compatibility.md} true: it is made of the tables of the running programs, and of the names MongoDB 8.0
 * documents, in {@code mongodb-8.0-names.txt}.
 */
package io.ostraka.acceptance.compatibility;
