package io.ostraka.router.command;

import io.ostraka.router.gather.ClusterServices;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Operations;
import io.ostraka.wire.common.CurrentOperations;
import io.ostraka.wire.common.ProcessInfo;
import io.ostraka.wire.session.Sessions;
import java.util.ArrayList;
import java.util.List;

/** The table of commands over data. */
public final class DataCommands {
    private DataCommands() {}

    public static List<Command<?>> of(
            ClusterServices services,
            ProcessInfo process,
            CurrentOperations current,
            Operations operations,
            Sessions sessions) {
        OutsideDocuments outside = new OutsideDocuments(services, current, sessions);
        ExplainOnCluster explain = new ExplainOnCluster(services, process);
        List<Command<?>> all = new ArrayList<>();
        CollectionCommands collections = new CollectionCommands(services);
        IndexCommands indexes = new IndexCommands(services);
        AggregateOnCluster aggregate =
                new AggregateOnCluster(services, outside, explain, new OutputOnCluster(services, collections, indexes));
        all.add(aggregate);
        all.add(new CountOnCluster(services, aggregate));
        all.add(new DistinctOnCluster(services, aggregate));
        all.add(explain);
        all.add(new FindAndModifyOnCluster(services));
        all.add(new FindOnCluster(services, aggregate));
        all.addAll(new WriteCommands(services).all());
        all.addAll(collections.all());
        all.addAll(indexes.all());
        all.addAll(new ListCommands(services).all());
        all.addAll(new StatsCommands(services).all());
        all.addAll(new OperationsOnCluster(services, outside, operations).all());
        return List.copyOf(all);
    }
}
