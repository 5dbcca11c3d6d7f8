package io.ostraka.node.write;

import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.node.placement.PlacementGuard;
import io.ostraka.node.view.Views;

/**
 * What everybody who writes needs.
 *
 * @param views where documents are read again under their locks
 * @param terms the present leadership's locks and numbers
 * @param proposer the way into the log
 * @param indexer the keys of documents
 * @param validators what collections demand of documents
 * @param guard what a shard says about placement
 * @param transactions those of clients that are open
 * @param clock for oplog rows
 * @param ids for new {@code _id}s and UUIDs
 */
public record WriteParts(
        Views views,
        Terms terms,
        Proposer proposer,
        Indexer indexer,
        Validators validators,
        PlacementGuard guard,
        Transactions transactions,
        Clock clock,
        Ids ids) {
    /** The same for who asks, with {@code bypassDocumentValidation}, that validators are not asked. */
    public WriteParts bypassing(boolean validation) {
        return validation
                ? new WriteParts(views, terms, proposer, indexer, Validators.NONE, guard, transactions, clock, ids)
                : this;
    }

    CappedTrim capped() {
        return new CappedTrim(this);
    }

    CollectionWriter collections() {
        return new CollectionWriter(this);
    }

    ChangeList changes() {
        return new ChangeList(clock.wallMillis(), false);
    }
}
