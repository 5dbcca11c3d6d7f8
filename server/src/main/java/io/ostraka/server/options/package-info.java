/**
 * The flags and file keys of {@code mongod} and {@code mongos}.
 *
 * <p><b>Way through.</b> {@link io.ostraka.server.options.OptionTable} lists every flag and key of MongoDB 8.0 and what it
 * means here: obeyed, without effect, or refused. {@link io.ostraka.server.options.CommandLine} and
 * {@link io.ostraka.server.options.SettingsFile} read given values into {@link io.ostraka.server.options.Given};
 * {@link io.ostraka.server.options.ServerSettings} checks them.
 *
 * <p><b>Always.</b> An option that would make somebody believe in a protection that is not there is refused. What is
 * accepted without effect is said once in the log.
 */
package io.ostraka.server.options;
