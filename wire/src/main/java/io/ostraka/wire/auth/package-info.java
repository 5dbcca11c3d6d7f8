/**
 * Who is at the other end: users and what they may do, and the key by which processes of one cluster know each other.
 *
 * <p><b>Always.</b> A secret never travels and is never printed.
 *
 * <p><b>Not here.</b> The handshake's messages: {@code wire.message.ClusterProtocol}.
 */
package io.ostraka.wire.auth;
