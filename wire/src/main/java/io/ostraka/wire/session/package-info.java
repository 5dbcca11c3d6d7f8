/**
 * What a process remembers of its clients' sessions: that they exist, and when they were used.
 *
 * <p><b>Always.</b> Everything here is bounded and lives as long as the process.
 *
 * <p><b>Not here.</b> Transactions, and the records of retryable writes, which outlive the process: {@code node.write}.
 */
package io.ostraka.wire.session;
