/**
 * Work that clients do while faults happen, and what must be true of its answers afterwards: each kind of work records what it
 * asked and heard, and judges the record when all is quiet again. {@link io.ostraka.acceptance.histories.UnderFaults} runs them.
 */
package io.ostraka.acceptance.histories;
