/** Chunks that move and split while clients read and write: nothing is lost, seen twice, or counted wrongly. */
package io.ostraka.acceptance.moves;
