package io.ostraka.node.write;

import static io.ostraka.core.error.ErrorCode.NOT_WRITABLE_PRIMARY;

import io.ostraka.node.view.Views;
import io.ostraka.replication.Leadership;
import io.ostraka.replication.ReplicaGroup;
import java.util.Optional;

/** Finds the Term of the present leadership. Safe for many threads. */
public final class Terms {
    private final ReplicaGroup group;
    private final Views views;
    private Term latest;

    public Terms(ReplicaGroup group, Views views) {
        this.group = group;
        this.views = views;
    }

    /** @throws io.ostraka.core.error.CommandException 10107 NotWritablePrimary if this member does not lead */
    public synchronized Term current() {
        Optional<Leadership> leadership = group.leadership();
        if (leadership.isEmpty()) {
            throw NOT_WRITABLE_PRIMARY.because("not primary");
        }
        if (latest == null || latest.leadership() != leadership.get()) {
            latest = new Term(leadership.get(), views);
        }
        return latest;
    }
}
