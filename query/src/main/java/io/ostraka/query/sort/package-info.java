/** Sort patterns, and the keys that order documents by them: on a shard, and again where shards' answers are merged. */
package io.ostraka.query.sort;
