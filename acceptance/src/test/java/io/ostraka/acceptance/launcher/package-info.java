/** The programs as processes: flags, files, exit codes, what they print. */
package io.ostraka.acceptance.launcher;
