/** Replica sets of several members, alone and as shards, through real drivers. */
package io.ostraka.acceptance.replication;
