/**
 * Query filters: from the document a client sends to a test that runs on raw bytes.
 *
 * <p><b>Way through.</b> {@link io.ostraka.query.filter.FilterParser} reads BSON into a
 * {@link io.ostraka.query.filter.Filter}, a closed set of records.
 * {@link io.ostraka.query.filter.FilterCompiler} turns one into a {@link io.ostraka.query.filter.DocumentTest}.
 * {@link io.ostraka.query.filter.FilterBounds} asks it which values of a path can match, for indexes and routing.
 *
 * <p><b>Always.</b> What the parser accepts, the compiler compiles. Bounds may admit too much, never too little, so
 * who uses them tests the filter again.
 *
 * <p><b>Not here.</b> The order of values is in {@code core.bson}; choosing an index is in {@code query.plan}.
 */
package io.ostraka.query.filter;
