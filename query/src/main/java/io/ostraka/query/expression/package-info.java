/**
 * Aggregation expressions: from the values a client sends to a tree that is evaluated on a document.
 *
 * <p><b>Way through.</b> {@link io.ostraka.query.expression.ExpressionParser} reads BSON into an
 * {@link io.ostraka.query.expression.Expression}; {@link io.ostraka.query.expression.Evaluator} evaluates it in a
 * {@link io.ostraka.query.expression.Scope}. Functions of values are entries of one table, made of families; forms
 * that evaluate their arguments themselves ($cond, $let, $map and so on) are records of their own.
 *
 * <p><b>Always.</b> Fields are read from raw bytes; only the values named are decoded. Constants are folded when read.
 */
package io.ostraka.query.expression;
