/** Sessions, retryable writes and transactions, through the Java driver. */
package io.ostraka.acceptance.sessions;
