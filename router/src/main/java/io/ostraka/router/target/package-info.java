/**
 * Which shards can hold what a filter matches, and why if that is all of them.
 *
 * <p><b>Always.</b> A target may name too many shards, never too few.
 */
package io.ostraka.router.target;
