/** What background tasks that go round and round have in common. */
package io.ostraka.sharding.loop;
