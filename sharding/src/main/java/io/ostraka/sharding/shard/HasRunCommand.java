package io.ostraka.sharding.shard;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.member.Member;
import io.ostraka.sharding.command.InternalCommand;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Needs;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;

/**
 * Tells a router whether a statement of a retryable write has run on this shard. A router asks where the statement itself
 * does not say which shard it went to.
 *
 * <pre>{ _shardsvrHasRun: lsid, number: txnNumber, statement: stmtId }  →  { ran: b }</pre>
 */
public final class HasRunCommand {
    private record Request(RawDocument lsid, long number, int statement) {}

    private HasRunCommand() {}

    public static Command<?> of(Member member) {
        return InternalCommand.of(
                "_shardsvrHasRun",
                Needs.Kind.WRITE,
                fields -> new Request(fields.requiredDocument("_shardsvrHasRun"), fields.wholeNumber("number", 0), (int)
                        fields.wholeNumber("statement", 0)),
                (request, operation) -> new BsonDocument(
                        "ran",
                        BsonBoolean.valueOf(
                                member.sessions().hasRun(request.lsid, request.number, request.statement, operation))));
    }
}
