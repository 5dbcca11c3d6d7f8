/** The limits of the machine, to give our figures as a share of. */
package io.ostraka.bench.floor;
