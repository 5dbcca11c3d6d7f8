/**
 * {@code $jsonSchema}: JSON Schema, draft 4, in MongoDB's dialect.
 *
 * <p><b>Way through.</b> {@link io.ostraka.query.schema.SchemaParser} reads a schema into a
 * {@link io.ostraka.query.schema.Schema}, a closed set of rules; {@link io.ostraka.query.schema.SchemaTest} asks them of
 * raw documents, and {@link io.ostraka.query.schema.SchemaFailure} says which were not met.
 *
 * <p><b>Always.</b> A rule about one type holds for values of all others, and for what is missing. No path goes through
 * arrays by itself, unlike those of filters.
 *
 * <p><b>Not here.</b> Validators of collections ({@code node.write}); filters around a schema ({@code query.filter}).
 */
package io.ostraka.query.schema;
