/**
 * The other processes a router speaks to: replica sets by name, found at their primary.
 *
 * <p><b>Always.</b> A command that may have run is not sent again from here, unless it may be repeated.
 */
package io.ostraka.router.remote;
