package io.ostraka.wire.server;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.wire.command.Client;
import io.ostraka.wire.message.Message;
import java.util.concurrent.CompletableFuture;

/** What answers requests: the dispatcher. Never throws for what a client sent. */
@FunctionalInterface
public interface RequestHandler {
    /** @param killed ends the request when it is completed, with what it was completed with */
    RawDocument run(Message message, Client client, CompletableFuture<CommandException> killed);
}
