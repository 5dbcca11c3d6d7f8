/** Commands between processes of a cluster: what they share. */
package io.ostraka.sharding.command;
