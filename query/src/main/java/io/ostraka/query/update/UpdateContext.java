package io.ostraka.query.update;

import io.ostraka.query.run.RunContext;
import java.util.function.Supplier;
import org.bson.types.ObjectId;

/**
 * What an update may know beside the document.
 *
 * @param run for {@code $currentDate} and expressions
 * @param ids gives the {@code _id} of an upsert that names none
 */
public record UpdateContext(RunContext run, Supplier<ObjectId> ids) {}
