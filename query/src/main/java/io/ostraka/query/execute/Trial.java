package io.ostraka.query.execute;

import io.ostraka.core.error.CommandException;
import io.ostraka.query.plan.PlanNode;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.run.SpillSpace;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds out which of several plans does least: all of them may look at a few entries and documents, then at twice as many,
 * until one has given enough or all it has. What they find is thrown away.
 */
public final class Trial {
    /** Rows after which a plan has shown how good it is. */
    private static final int ROWS_ENOUGH = 101;

    /** Entries and documents that each plan may look at first, and at the end. */
    private static final long WORKS_FIRST = 64;

    private static final long WORKS_MAX = 10_000;

    /**
     * What one plan did.
     *
     * @param counters what it looked at and gave
     * @param finished whether it gave enough rows, or all
     */
    public record Score(PlanNode plan, NodeCounters counters, boolean finished) {
        /** Entries and documents it looked at. */
        public long works() {
            return counters.keysExamined() + counters.docsExamined();
        }

        public long returned() {
            return counters.returned();
        }

        /** Works for each row; the fewer, the better. */
        double cost() {
            return (double) (works() + 1) / (returned() + 1);
        }
    }

    /** How it ended: the best plan first. */
    public record Outcome(Score best, List<Score> others) {
        public Outcome {
            others = List.copyOf(others);
        }
    }

    /** Ends a plan that has looked at enough. */
    private static final class Enough extends RuntimeException {
        private static final long serialVersionUID = 1;

        Enough() {
            super("the trial is over", null, false, false);
        }
    }

    private final Source source;
    private final RunContext context;

    private Trial(Source source, RunContext context) {
        this.source = source;
        this.context = context;
    }

    /**
     * Tries plans.
     *
     * @param plans at least one, the likeliest first: it wins where nothing else decides
     */
    public static Outcome of(List<PlanNode> plans, Source source, RunContext context) {
        return new Trial(source, context).run(plans);
    }

    private Outcome run(List<PlanNode> plans) {
        for (long works = WORKS_FIRST; ; works = Math.min(WORKS_MAX, 2 * works)) {
            List<Score> scores = new ArrayList<>();
            for (PlanNode plan : plans) {
                scores.add(score(plan, works));
            }
            if (works == WORKS_MAX || scores.stream().anyMatch(Score::finished)) {
                return outcome(scores);
            }
        }
    }

    private static Outcome outcome(List<Score> scores) {
        Score best = null;
        for (Score each : scores) {
            boolean better = best == null
                    || each.finished && !best.finished
                    || each.finished == best.finished
                            && (each.finished ? each.works() < best.works() : each.cost() < best.cost());
            best = better ? each : best;
        }
        List<Score> others = new ArrayList<>(scores);
        others.remove(best);
        return new Outcome(best, others);
    }

    private Score score(PlanNode plan, long most) {
        long[] left = {most};
        RunContext.Interruption limited = () -> {
            context.interruption().check();
            if (left[0]-- <= 0) {
                throw new Enough();
            }
        };
        try (Execution execution =
                Execution.open(plan, source, context.with(limited).with(SpillSpace.NONE))) {
            boolean finished = false;
            try {
                Row row = execution.next();
                for (int rows = 1; row != null && rows < ROWS_ENOUGH; rows++) {
                    row = execution.next();
                }
                finished = true;
            } catch (Enough over) {
                finished = false;
            } catch (CommandException failed) {
                // What does not fit into memory, or is no valid question of a document, shows when the plan is run.
                finished = false;
            }
            return new Score(plan, execution.counters(), finished);
        }
    }
}
