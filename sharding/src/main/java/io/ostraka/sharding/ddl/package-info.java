/**
 * Changes of collections that concern several shards.
 *
 * <p><b>What is stored.</b> {@code config.coordinators}: one document a running change, {@code {_id: {type, ns}, state,
 * ...}}, from before the first effect until the last.
 *
 * <p><b>States.</b> Each {@link io.ostraka.sharding.ddl.Coordinator} lists its own. It is pure: events in, effects out.
 *
 * <p><b>Who drives it.</b> {@link io.ostraka.sharding.ddl.CoordinatorDriver} on the leader of the config servers. It
 * stores a new state before it runs that state's effects, and holds the change's namespace meanwhile.
 *
 * <p><b>On failover.</b> The next leader reads the stored documents and issues the effects of their states again;
 * effects are idempotent. Losing the leadership decides nothing.
 *
 * <p><b>On abort.</b> Only before the catalog has changed. What was prepared is released, and the caller gets the
 * error that stopped it. After the catalog has changed a coordinator only goes forward.
 */
package io.ostraka.sharding.ddl;
