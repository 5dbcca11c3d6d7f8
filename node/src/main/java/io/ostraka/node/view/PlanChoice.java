package io.ostraka.node.view;

import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.query.execute.Trial;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.query.plan.PlanCache;
import io.ostraka.query.plan.PlanNode;
import io.ostraka.query.plan.PlanPrinter;
import io.ostraka.query.plan.QueryShape;
import io.ostraka.query.run.RunContext;
import java.util.List;
import java.util.Optional;

/**
 * The plan a query is run by. Where there are several the one that won the trial of the last query of this shape, if it has
 * not become a bad one since; else there is a trial.
 *
 * @param plan the plan
 * @param rejected the others
 * @param cached how it was found in the cache, for who finds out what it costs now
 * @param indexFilterSet whether an operator has said which indexes it may use
 */
public record PlanChoice(
        PlanNode plan, List<PlanNode> rejected, Optional<PlanCache.Cached> cached, boolean indexFilterSet) {
    public PlanChoice {
        rejected = List.copyOf(rejected);
    }

    /** A plan without alternatives. */
    public static PlanChoice only(PlanNode plan) {
        return new PlanChoice(plan, List.of(), Optional.empty(), false);
    }

    PlanChoice filtered() {
        return new PlanChoice(plan, rejected, cached, true);
    }

    /** @param plans at least one, the likeliest first */
    static PlanChoice of(
            List<PlanNode> plans, FindQuery query, View view, CollectionEntry collection, RunContext context) {
        if (plans.size() == 1) {
            return only(plans.getFirst());
        }
        QueryShape shape = QueryShape.of(query);
        List<String> indexes = collection.indexes().stream()
                .map(index -> index.name() + index.ident() + index.definition().hidden())
                .toList();
        Optional<PlanCache.Cached> cached = view.plans().find(collection.ident(), indexes, shape);
        if (cached.isPresent()) {
            for (PlanNode plan : plans) {
                if (PlanPrinter.form(plan).equals(cached.get().form())) {
                    return new PlanChoice(plan, without(plans, plan), cached, false);
                }
            }
        }
        Trial.Score best = Trial.of(plans, new CollectionSource(view, collection, false), context)
                .best();
        PlanCache.Cached won = new PlanCache.Cached(
                collection.ident(),
                indexes,
                shape,
                PlanPrinter.form(best.plan()),
                best.works(),
                best.returned(),
                context.nowMillis(),
                PlanPrinter.explain(best.plan()),
                query);
        view.plans().put(won);
        return new PlanChoice(best.plan(), without(plans, best.plan()), Optional.of(won), false);
    }

    @SuppressWarnings("ReferenceEquality") // two plans may be alike
    private static List<PlanNode> without(List<PlanNode> plans, PlanNode one) {
        return plans.stream().filter(each -> each != one).toList();
    }
}
