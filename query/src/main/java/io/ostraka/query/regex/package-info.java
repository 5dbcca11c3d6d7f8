/** Regular expressions on UTF-8 bytes. The one place that knows the library which runs them. */
package io.ostraka.query.regex;
