/**
 * Plans: how a query is answered with the indexes there are.
 *
 * <p><b>Way through.</b> {@link io.ostraka.query.plan.Planner} takes a {@link io.ostraka.query.plan.FindQuery} and
 * gives a tree of {@link io.ostraka.query.plan.PlanNode}; {@link io.ostraka.query.plan.PlanPrinter} shows it.
 *
 * <p><b>Always.</b> Whatever plan is chosen, the answer is that of a scan of the collection.
 *
 * <p><b>Not here.</b> Running plans is in {@code query.execute}.
 */
package io.ostraka.query.plan;
