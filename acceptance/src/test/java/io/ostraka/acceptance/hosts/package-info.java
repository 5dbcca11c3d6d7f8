/**
 * A cluster on several hosts, of which one may fail: each host is a process with one member of every set, so that killing it takes
 * a config server and a member of each shard at once.
 */
package io.ostraka.acceptance.hosts;
