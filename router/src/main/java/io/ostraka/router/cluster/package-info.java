/**
 * What clients may ask a router about the cluster itself. Nearly all of it is the config servers' to answer; a router
 * checks who asks, passes it on, and forgets what the change has made stale.
 *
 * <p><b>Way through.</b> {@link io.ostraka.router.cluster.ClusterCommands} is the table.
 */
package io.ostraka.router.cluster;
