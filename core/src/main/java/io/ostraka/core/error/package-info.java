/** Every error a client can receive, in one enum, and the one exception that carries it. */
package io.ostraka.core.error;
