package io.ostraka.query.plan;

import io.ostraka.query.index.IndexDefinition;

/**
 * An index as the planner sees it: ready, and what is known of its documents.
 *
 * @param multikey bit i is set where an array lies on the path of field i in some document
 */
public record PlannedIndex(IndexDefinition definition, long multikey) {}
