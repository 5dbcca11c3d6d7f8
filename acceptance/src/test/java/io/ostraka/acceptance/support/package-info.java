/** What acceptance tests share: long-lived clusters, the real clients, processes that are ended by their own handle. */
package io.ostraka.acceptance.support;
