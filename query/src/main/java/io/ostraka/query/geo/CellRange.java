package io.ostraka.query.geo;

/** Keys of cells from one to another, both included, as signed numbers. */
public record CellRange(long first, long last) {}
