/** Clusters inside the JVM of a test: they start, close and leave nothing; they bear what is thrown at them. */
package io.ostraka.acceptance.embedded;
