package io.ostraka.query.execute;

import io.ostraka.query.plan.PlanNode;
import io.ostraka.query.plan.PlanPrinter;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/** What one node of a running plan has done so far. */
public final class NodeCounters {
    private final PlanNode node;
    private final List<NodeCounters> children = new ArrayList<>();
    private long returned;
    private long keysExamined;
    private long docsExamined;
    private boolean ended;

    NodeCounters(PlanNode node) {
        this.node = node;
    }

    NodeCounters child(PlanNode below) {
        NodeCounters counters = new NodeCounters(below);
        children.add(counters);
        return counters;
    }

    void oneReturned() {
        returned++;
    }

    void oneKey() {
        keysExamined++;
    }

    void oneDocument() {
        docsExamined++;
    }

    void end() {
        ended = true;
    }

    /** Rows this node has given. */
    public long returned() {
        return returned;
    }

    /** Index entries looked at by this node and those below. */
    public long keysExamined() {
        return keysExamined
                + children.stream().mapToLong(NodeCounters::keysExamined).sum();
    }

    /** Documents looked at by this node and those below. */
    public long docsExamined() {
        return docsExamined
                + children.stream().mapToLong(NodeCounters::docsExamined).sum();
    }

    /** {@code executionStages}. */
    public BsonDocument explain() {
        BsonDocument document = PlanPrinter.own(node);
        document.put("nReturned", number(returned));
        document.put("executionTimeMillisEstimate", new BsonInt32(0));
        document.put("isEOF", new BsonInt32(ended ? 1 : 0));
        switch (node) {
            case PlanNode.IndexScan _, PlanNode.DistinctScan _, PlanNode.IdLookup _ -> {
                document.put("keysExamined", number(keysExamined));
                if (!(node instanceof PlanNode.IndexScan)) {
                    document.put("docsExamined", number(docsExamined));
                }
            }
            case PlanNode.GeoNear _ -> {
                document.put("keysExamined", number(keysExamined));
                document.put("docsExamined", number(docsExamined));
            }
            case PlanNode.Fetch _, PlanNode.TextMatch _, PlanNode.CollectionScan _ ->
                document.put("docsExamined", number(docsExamined));
            case PlanNode.ShardingFilter _ ->
                document.put("chunkSkips", number(children.getFirst().returned - returned));
            case PlanNode.Count _ -> document.put("nCounted", number(children.getFirst().returned));
            case PlanNode.Eof _,
                    PlanNode.Or _,
                    PlanNode.SortMerge _,
                    PlanNode.Sort _,
                    PlanNode.Skip _,
                    PlanNode.Limit _,
                    PlanNode.Project _ -> {}
        }
        if (children.size() == 1) {
            document.put(
                    "inputStage", PlanPrinter.below(node, children.getFirst().explain()));
        } else if (children.size() > 1) {
            document.put(
                    "inputStages",
                    new BsonArray(children.stream()
                            .map(child -> (BsonValue) child.explain())
                            .toList()));
        }
        return document;
    }

    /** An entry of {@code allPlansExecution}. */
    public BsonDocument ofTrial() {
        return new BsonDocument("nReturned", number(returned))
                .append("executionTimeMillisEstimate", new BsonInt32(0))
                .append("totalKeysExamined", number(keysExamined()))
                .append("totalDocsExamined", number(docsExamined()))
                .append("executionStages", explain());
    }

    /** {@code executionStats}, without the time, which only its caller knows. */
    public BsonDocument executionStats(long millis) {
        return new BsonDocument("executionSuccess", BsonBoolean.TRUE)
                .append("nReturned", number(returned))
                .append("executionTimeMillis", number(millis))
                .append("totalKeysExamined", number(keysExamined()))
                .append("totalDocsExamined", number(docsExamined()))
                .append("executionStages", explain());
    }

    private static BsonValue number(long value) {
        return value == (int) value ? new BsonInt32((int) value) : new BsonInt64(value);
    }
}
