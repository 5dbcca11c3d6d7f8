/** What happens when processes die: real processes, killed with SIGKILL. */
package io.ostraka.acceptance.faults;
