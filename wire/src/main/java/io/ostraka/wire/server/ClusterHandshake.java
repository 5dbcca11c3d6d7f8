package io.ostraka.wire.server;

import static io.ostraka.core.error.ErrorCode.AUTHENTICATION_FAILED;
import static io.ostraka.core.error.ErrorCode.INCOMPATIBLE_SERVER_VERSION;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Ids;
import io.ostraka.wire.auth.ClusterKey;
import io.ostraka.wire.message.ClusterProtocol;
import org.bson.BsonBinary;
import org.bson.BsonType;

/**
 * The accepting end of the handshake between processes of one cluster; see {@link ClusterProtocol}. One per
 * connection, one thread.
 */
final class ClusterHandshake {
    private final ClusterKey key;
    private final Ids ids;
    private byte[] clientNonce;
    private byte[] serverNonce;
    private boolean proven;

    ClusterHandshake(ClusterKey key, Ids ids) {
        this.key = key;
        this.ids = ids;
    }

    /** Whether a message belongs to the handshake and not to the command table. */
    static boolean concerns(RawDocument body) {
        String name = body.firstName();
        return ClusterProtocol.HELLO.equals(name) || ClusterProtocol.PROVE.equals(name);
    }

    boolean proven() {
        return proven;
    }

    /** @throws io.ostraka.core.error.CommandException 18 or 188; the connection is then closed */
    RawDocument answer(RawDocument body) {
        if (ClusterProtocol.HELLO.equals(body.firstName())) {
            RawCursor version = body.find("v");
            if (version == null || version.type() != BsonType.INT32 || version.int32() != ClusterProtocol.VERSION) {
                throw INCOMPATIBLE_SERVER_VERSION.because(
                        "this process speaks version %d of the cluster's internal protocol", ClusterProtocol.VERSION);
            }
            clientNonce = bytes(body, "nonce");
            serverNonce = ClusterProtocol.nonce(ids);
            return new RawBuilder()
                    .put("nonce", new BsonBinary(serverNonce))
                    .put("proof", new BsonBinary(key.serverProof(clientNonce, serverNonce)))
                    .put("ok", 1.0)
                    .build();
        }
        if (clientNonce == null || !ClusterKey.same(key.clientProof(clientNonce, serverNonce), bytes(body, "proof"))) {
            throw AUTHENTICATION_FAILED.because("the other end does not have this cluster's key");
        }
        proven = true;
        return new RawBuilder().put("ok", 1.0).build();
    }

    private static byte[] bytes(RawDocument body, String name) {
        if (body.get(name) instanceof BsonBinary binary && binary.getData().length == ClusterProtocol.NONCE) {
            return binary.getData();
        }
        throw AUTHENTICATION_FAILED.because(
                "the cluster handshake needs %d bytes of '%s'", ClusterProtocol.NONCE, name);
    }
}
