/**
 * Dotted paths into documents.
 *
 * <p><b>Way through.</b> {@link io.ostraka.core.path.FieldPath} is split once where a request is read.
 *
 * <p><b>Not here.</b> What arrays on a path mean differs between filters, indexes, sorts and updates; each of those
 * packages says it.
 */
package io.ostraka.core.path;
