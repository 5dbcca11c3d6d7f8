/** What replication costs: inserts called inside the process on one member, one on Raft and three on Raft, beside RocksDB alone. */
package io.ostraka.bench.replication;
