package io.ostraka.wire.message;

import io.ostraka.core.bson.Bytes;
import io.ostraka.core.time.Ids;

/**
 * What processes of one cluster say to each other before anything else.
 *
 * <pre>
 * { _ostrakaHello: 1, v: 1, nonce }      →  { nonce, proof: HMAC(key, "server" ‖ client's nonce ‖ server's nonce) }
 * { _ostrakaProve: 1, proof: HMAC(key, "client" ‖ server's nonce ‖ client's nonce) }  →  { ok: 1 }
 * </pre>
 *
 * Afterwards requests on the connection run side by side and are answered in any order. Each carries
 * {@code $ostraka: {v: 1}}. Nobody answers
 *
 * <pre>
 * { _ostrakaCancel: request id }
 * </pre>
 *
 * which ends a request of the same connection whose sender does not wait for it any more.
 */
public final class ClusterProtocol {
    public static final String HELLO = "_ostrakaHello";
    public static final String PROVE = "_ostrakaProve";
    public static final String CANCEL = "_ostrakaCancel";
    /** The version of what our own processes say to each other; one byte. */
    public static final int VERSION = 1;
    /** Bytes of a nonce, and of a proof. */
    public static final int NONCE = 32;

    private ClusterProtocol() {}

    /** Bytes nobody has seen before. */
    public static byte[] nonce(Ids ids) {
        byte[] nonce = new byte[NONCE];
        for (int at = 0; at < nonce.length; at += 8) {
            Bytes.putLong(nonce, at, ids.random());
        }
        return nonce;
    }
}
