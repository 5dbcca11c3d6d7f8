package io.ostraka.wire.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret the processes of one cluster share. It never travels: each end proves that it has it by an HMAC over both
 * ends' nonces, with a word that says which end speaks, so that a proof cannot be played back.
 */
public final class ClusterKey {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    private ClusterKey(byte[] secret) {
        key = new SecretKeySpec(secret, ALGORITHM);
    }

    /** @param secret anything but empty */
    public static ClusterKey of(String secret) {
        return new ClusterKey(secret.getBytes(StandardCharsets.UTF_8));
    }

    /** What the end that connected sends. */
    public byte[] clientProof(byte[] clientNonce, byte[] serverNonce) {
        return proof("client", serverNonce, clientNonce);
    }

    /** What the end that accepted sends. */
    public byte[] serverProof(byte[] clientNonce, byte[] serverNonce) {
        return proof("server", clientNonce, serverNonce);
    }

    /** Compares in a time that tells nothing. */
    public static boolean same(byte[] one, byte[] other) {
        return MessageDigest.isEqual(one, other);
    }

    private byte[] proof(String who, byte[] first, byte[] second) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(who.getBytes(StandardCharsets.UTF_8));
            mac.update(first);
            mac.update(second);
            return mac.doFinal();
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every Java has HmacSHA256", missing);
        }
    }

    /** Says nothing about the secret. */
    @Override
    public String toString() {
        return "ClusterKey";
    }
}
