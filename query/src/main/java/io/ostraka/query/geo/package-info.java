/**
 * Places: points, lines and polygons on the earth and in the plane, what is within what, how far apart they are, and the
 * cells of indexes they lie in.
 *
 * <p><b>Way through.</b> {@link io.ostraka.query.geo.GeometryParser} reads a {@link io.ostraka.query.geo.Geometry} from
 * GeoJSON or a pair of numbers; {@link io.ostraka.query.geo.Area} is what documents can be within, and
 * {@link io.ostraka.query.geo.Near} a point and how distances from it are measured.
 * {@link io.ostraka.query.geo.SphereCells} and {@link io.ostraka.query.geo.PlaneCells} say where indexes hold them.
 *
 * <p><b>Always.</b> A geometry has a key in every region of cells that covers a place where it lies. The sphere is S2's;
 * lines are its shortest ways, not those on a map.
 *
 * <p><b>Not here.</b> Operators of filters are read in {@code query.filter}, indexes in {@code query.index}.
 */
package io.ostraka.query.geo;
