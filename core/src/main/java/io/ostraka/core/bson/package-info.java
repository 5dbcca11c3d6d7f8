/**
 * BSON as bytes: documents, a walk over them, building, checking, and the order of values.
 *
 * <p><b>Way through.</b> {@link io.ostraka.core.bson.BsonCheck} looks at bytes from outside once. From then on they
 * are a {@link io.ostraka.core.bson.RawDocument}, walked by a {@link io.ostraka.core.bson.RawCursor} and made by a
 * {@link io.ostraka.core.bson.RawBuilder}. {@link io.ostraka.core.bson.ValueOrder} compares, decoded or not.
 *
 * <p><b>Always.</b> Nobody writes to an array a document looks at.
 *
 * <p><b>Not here.</b> Bytes that sort as values do are in {@code core.key}; paths with dots in {@code core.path}.
 */
package io.ostraka.core.bson;
