/** Small files that a crash must not tear, for all who keep some beside the store. */
package io.ostraka.core.file;
