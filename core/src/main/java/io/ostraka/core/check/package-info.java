/** Invariants, checked in production too. */
package io.ostraka.core.check;
