/**
 * The wire protocol: sockets, messages, and commands as a table.
 */
package io.ostraka.wire;
