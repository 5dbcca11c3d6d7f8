/**
 * Running plans: a plan and a {@link io.ostraka.query.execute.Source} give rows, pulled one by one, and counters.
 *
 * <p><b>Way through.</b> {@link io.ostraka.query.execute.Execution} opens one operator per node of the plan.
 *
 * <p><b>Always.</b> No threads, no clocks; the interruption is asked for every record and entry looked at.
 */
package io.ostraka.query.execute;
