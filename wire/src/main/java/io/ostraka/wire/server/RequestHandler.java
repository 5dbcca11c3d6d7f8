package io.ostraka.wire.server;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Client;
import io.ostraka.wire.message.Message;

/** What answers requests: the dispatcher. Never throws for what a client sent. */
@FunctionalInterface
public interface RequestHandler {
    RawDocument run(Message message, Client client);
}
