/**
 * Other processes of the cluster, as sharding speaks to them: by commands, and by nothing else.
 */
package io.ostraka.sharding.remote;
