/** Where time and identifiers come from: passed in, so that a test can move the one and repeat the other. */
package io.ostraka.core.time;
