/**
 * Aggregation pipelines.
 *
 * <p><b>Way through.</b> {@link io.ostraka.query.pipeline.Pipeline} is parsed into
 * {@link io.ostraka.query.pipeline.Stage} records and opened over a stream of documents. On a cluster it is split: the
 * first half runs on each shard, the second on what they give.
 *
 * <p><b>Always.</b> The halves together answer what the whole answers, in whatever order the shards' documents come; but
 * for what depends on the order of unsorted documents. What a {@code $group} half sends is a document per group with one
 * document per accumulator, which only the other half reads.
 *
 * <p><b>Not here.</b> Stages that bring documents from outside ({@code $collStats}) are parsed; who runs the pipeline
 * gives their documents.
 */
package io.ostraka.query.pipeline;
