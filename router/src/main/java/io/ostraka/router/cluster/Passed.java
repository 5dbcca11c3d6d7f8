package io.ostraka.router.cluster;

import static io.ostraka.core.error.ErrorCode.INVALID_NAMESPACE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.Forward;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A command of the cluster that the config servers carry out. Its fields are theirs to check.
 *
 * @param about what its own field names
 * @param repeatable whether asking twice is the same as asking once
 */
record Passed(ClusterServices services, String name, About about, Needs.Kind kind, boolean repeatable)
        implements Command<Optional<Namespace>> {
    enum About {
        COLLECTION,
        SOMETHING_ELSE
    }

    @Override
    public List<String> aliases() {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals(name) ? List.of() : List.of(lower);
    }

    @Override
    public Needs needs() {
        return Needs.admin(name, kind);
    }

    @Override
    public Optional<Namespace> parse(Fields fields) {
        fields.ignoreUnknown();
        if (about == About.SOMETHING_ELSE) {
            return Optional.empty();
        }
        if (fields.ownString().indexOf('.') < 0) {
            throw INVALID_NAMESPACE.because(
                    "Invalid namespace specified '%s': write it as database.collection", fields.ownString());
        }
        return Optional.of(Namespace.parse(fields.ownString()));
    }

    @Override
    public RawDocument run(Optional<Namespace> namespace, Operation operation) {
        RawDocument reply = services.config().run("admin", Forward.of(operation).build(), repeatable, operation);
        // What has changed is asked for anew; a shard would say so anyway, one round trip later.
        namespace.filter(_ -> kind == Needs.Kind.WRITE).ifPresent(services.cache()::forget);
        return Forward.reply(reply);
    }
}
