/** What people do, in the real clients: mongosh, the Node driver, the Java driver. */
package io.ostraka.acceptance.clients;
