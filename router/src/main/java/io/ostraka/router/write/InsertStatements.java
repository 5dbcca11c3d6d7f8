package io.ostraka.router.write;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.time.Ids;
import io.ostraka.router.routing.Routing;
import io.ostraka.wire.request.InsertRequest;
import java.util.List;
import org.bson.BsonObjectId;

/** Documents to insert: each goes to the owner of its key. Documents without an {@code _id} get one here. */
public final class InsertStatements implements Statements {
    private final List<RawDocument> documents;
    private final Ids ids;
    private final RawDocument[] named;

    public InsertStatements(InsertRequest request, Ids ids) {
        this.documents = request.documents();
        this.ids = ids;
        this.named = new RawDocument[documents.size()];
    }

    @Override
    public String field() {
        return "documents";
    }

    @Override
    public int size() {
        return documents.size();
    }

    @Override
    public boolean create() {
        return true;
    }

    @Override
    public Route route(int index, Routing routing) {
        if (routing.table().isEmpty()) {
            return new Route.One(routing.primary(), documents.get(index));
        }
        RoutingTable table = routing.table().get();
        RawDocument document = named(index);
        return new Route.One(table.ownerOf(table.key().keyOf(document)), document);
    }

    /** With an {@code _id}, the same however often it is routed: the shard key may contain it. */
    private RawDocument named(int index) {
        if (named[index] == null) {
            RawDocument document = documents.get(index);
            named[index] = document.find("_id") != null
                    ? document
                    : new RawBuilder(document.size() + 32)
                            .put("_id", new BsonObjectId(ids.objectId()))
                            .elements(document)
                            .build();
        }
        return named[index];
    }
}
