package io.ostraka.node.write;

import io.ostraka.core.key.KeyString;
import io.ostraka.node.catalog.IndexEntry;
import java.util.Set;

/**
 * The keys of one document in one index.
 *
 * @param index the index
 * @param keys at least one, unless the index leaves the document out; several where it holds arrays
 * @param multikey bit i is set where an array lies on the path of field i
 */
record DocumentKeys(IndexEntry index, Set<KeyString> keys, long multikey) {}
