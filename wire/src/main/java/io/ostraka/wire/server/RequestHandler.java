package io.ostraka.wire.server;

import io.ostraka.core.error.CommandException;
import io.ostraka.wire.command.Client;
import io.ostraka.wire.message.Message;
import io.ostraka.wire.message.Reply;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** What answers requests: the dispatcher. Never throws for what a client sent. */
@FunctionalInterface
public interface RequestHandler {
    /**
     * Answers one.
     *
     * @param killed ends the request when it is completed, with what it was completed with
     * @throws IOException if the connection is to be closed without an answer
     */
    Reply run(Message message, Client client, CompletableFuture<CommandException> killed) throws IOException;
}
