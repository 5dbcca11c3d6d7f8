package io.ostraka.server.process;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** This machine's name. */
final class HostName {
    private HostName() {}

    /** The name others may know it by, or "localhost" where it has none. */
    static String local() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
