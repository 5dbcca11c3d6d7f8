/**
 * Projections of finds and of the stages {@code $project}, {@code $addFields} and {@code $unset}.
 *
 * <p><b>Way through.</b> A {@link io.ostraka.query.projection.Projection} is parsed, a
 * {@link io.ostraka.query.projection.Projector} made of it runs once per document.
 *
 * <p><b>Always.</b> Kept fields are copied as bytes, in the document's order; computed ones follow in the projection's.
 */
package io.ostraka.query.projection;
