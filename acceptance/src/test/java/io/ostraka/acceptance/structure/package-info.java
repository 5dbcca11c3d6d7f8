/** What the tree must look like: who knows whom, who reaches which library, how large files are, that documents are true. */
package io.ostraka.acceptance.structure;
