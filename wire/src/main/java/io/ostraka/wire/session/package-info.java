/**
 * What a process remembers of its clients' sessions: that they exist, and what their retryable writes answered.
 *
 * <p><b>Always.</b> Everything here is bounded and lives as long as the process.
 *
 * <p><b>Not here.</b> Transactions, and records of retryable writes that outlive the process: {@code node}.
 */
package io.ostraka.wire.session;
