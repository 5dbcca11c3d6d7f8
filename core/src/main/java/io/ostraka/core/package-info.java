/** What every module shares, and nothing else: errors, raw documents, value order, placement, clocks. */
package io.ostraka.core;
