/**
 * Commands that every kind of process answers alike: greeting, parameters, logs, sessions, what runs now.
 *
 * <p><b>Way through.</b> {@link io.ostraka.wire.common.CommonCommands} makes them all out of a
 * {@link io.ostraka.wire.common.ProcessInfo}, a {@link io.ostraka.wire.common.Role} and the registries; who builds a
 * process adds them to its table.
 *
 * <p><b>Always.</b> Shapes are those clients read; numbers are of this process alone.
 *
 * <p><b>Not here.</b> Commands over data or the cluster: {@code node}, {@code router}, {@code sharding}.
 */
package io.ostraka.wire.common;
