/**
 * What clients may ask a router, over data: each command as its specification on a cluster.
 *
 * <p><b>Way through.</b> A command parses the request record it shares with the nodes, finds its target, and forwards
 * the client's own bytes with versions attached. The tables are {@code DataCommands} and {@code CatalogCommands}.
 *
 * <p><b>Always.</b> The databases {@code config} and {@code admin} are the config servers'; they take no versions.
 */
package io.ostraka.router.command;
