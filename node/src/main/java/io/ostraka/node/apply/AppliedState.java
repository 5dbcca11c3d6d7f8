package io.ostraka.node.apply;

import io.ostraka.node.catalog.Catalog;
import io.ostraka.replication.LogPosition;

/**
 * What stands beside the store's rows at one moment.
 *
 * @param position of the last entry applied
 * @param time the cluster time of the last proposal applied, 0 before the first
 */
public record AppliedState(LogPosition position, long time, Catalog catalog) {}
