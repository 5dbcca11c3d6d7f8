/** The programs: settings, the order of starting and stopping, the embedded cluster, the command line. */
package io.ostraka.server;
