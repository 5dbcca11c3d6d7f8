/**
 * What a router remembers of placement.
 *
 * <p><b>Way through.</b> {@link io.ostraka.router.routing.RoutingCache} answers with a
 * {@link io.ostraka.router.routing.Routing}, immutable; when a shard says it is stale, the cache is told which one was
 * and asks the config servers for what changed since.
 *
 * <p><b>Always.</b> One request to the config servers at a time for a collection; the others wait for its answer.
 */
package io.ostraka.router.routing;
