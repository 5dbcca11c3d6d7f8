package io.ostraka.node.view;

import io.ostraka.node.apply.AppliedState;
import io.ostraka.node.apply.Applier;
import io.ostraka.node.apply.Progress;
import io.ostraka.node.catalog.Catalog;
import io.ostraka.query.plan.PlanCache;
import io.ostraka.storage.Engine;
import io.ostraka.storage.Overlay;
import io.ostraka.storage.ReadView;
import io.ostraka.wire.command.Operation;
import java.util.Optional;

/** Opens Views on a member's store. Safe for many threads. */
public final class Views {
    private final Engine engine;
    private final Applier applier;
    private final IndexUses uses = new IndexUses();
    private final PlanCache plans = new PlanCache();

    public Views(Engine engine, Applier applier) {
        this.engine = engine;
        this.applier = applier;
    }

    /** How often plans have used indexes. */
    public IndexUses indexUses() {
        return uses;
    }

    /** The plans that have won trials. */
    public PlanCache plans() {
        return plans;
    }

    /** The catalog of now. For what belongs to documents read, take the View's. */
    public Catalog catalog() {
        return applier.state().catalog();
    }

    /** The cluster time of the last proposal applied. */
    public long time() {
        return applier.state().time();
    }

    /** The term of the last entry applied. */
    public long term() {
        return applier.state().position().term();
    }

    /** Follows the catalog for an operation. */
    public CatalogWatch watch(Operation operation) {
        return new CatalogWatch(progress(), operation);
    }

    /** Wakes those who wait for a time or for a change of the catalog. */
    public Progress progress() {
        return applier.progress();
    }

    /** Whether nothing has been applied since a View was opened. */
    boolean isPresent(View view) {
        return view.position().equals(applier.state().position());
    }

    /** The present state. Whatever was acknowledged before this call is in it. */
    public View open() {
        return open(null);
    }

    /** The same with what a transaction has written laid over it. */
    public View open(Overlay overlay) {
        while (true) {
            ReadView store = engine.read(overlay);
            try {
                Optional<AppliedState> state = applier.stateOf(store);
                if (state.isPresent()) {
                    View view = new View(store, state.get(), uses, plans);
                    store = null;
                    return view;
                }
                // Two batches were written between the snapshot and the look at the state: take a newer snapshot.
            } finally {
                if (store != null) {
                    store.close();
                }
            }
        }
    }
}
