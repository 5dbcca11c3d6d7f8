package io.ostraka.sharding.ddl;

import io.ostraka.core.error.CommandException;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * A change whose states follow one another: each but the first and the last has one effect, and its success leads to
 * the next.
 *
 * @param <S> the states in their order; the first is before anything was done, the last is the end
 */
abstract class LinearCoordinator<S extends Enum<S>> implements Coordinator {
    private final String type;
    private final String namespace;
    private final S first;
    private final S last;
    private S state;

    /** @param state where the change is, of an enum with at least two constants */
    LinearCoordinator(String type, String namespace, S state) {
        S[] all = state.getDeclaringClass().getEnumConstants();
        this.type = type;
        this.namespace = namespace;
        this.first = all[0];
        this.last = all[all.length - 1];
        this.state = state;
    }

    /** What is to be done in a state, neither the first nor the last. */
    abstract Effect effect(S in);

    /** The state that follows when a state's effect is done. */
    S after(S done) {
        return done.getDeclaringClass().getEnumConstants()[done.ordinal() + 1];
    }

    /** Where a refusal leads to; nothing for a state that is asked for again until it is done. */
    Optional<S> refused(S in, CommandException why) {
        return Optional.empty();
    }

    /** {@code {_id, state}}, for subclasses to add what they need. */
    @Override
    public BsonDocument toBson() {
        return new BsonDocument("_id", id()).append("state", new BsonString(state.name()));
    }

    @Override
    public final BsonDocument id() {
        return Coordinator.id(type, namespace);
    }

    @Override
    public final boolean isDone() {
        return state == last;
    }

    @Override
    public final List<Effect> on(Event event) {
        return switch (event) {
            case Event.Started _ when state == first -> become(after(state));
            case Event.Resumed _ -> effects();
            case Event.Committed(var step) when isOfThisState(step) -> become(after(state));
            case Event.Replied(var step, var _) when isOfThisState(step) -> become(after(state));
            case Event.Refused(var step, var why)
            when isOfThisState(step) -> refused(state, why).map(this::become).orElse(List.of());
            // Late or repeated news is normal: effects may run twice.
            case Event.Started _, Event.Committed _, Event.Replied _, Event.Refused _ -> List.of();
        };
    }

    private boolean isOfThisState(String step) {
        return effects().stream().anyMatch(effect -> effect.step().equals(step));
    }

    private List<Effect> become(S next) {
        state = next;
        return effects();
    }

    private List<Effect> effects() {
        return state == first || state == last ? List.of() : List.of(effect(state));
    }
}
