package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.query.expression.Evaluator;
import io.ostraka.query.expression.Scope;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.sort.KeyedRuns;
import io.ostraka.query.value.Values;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonInvalidOperationException;
import org.bson.BsonNull;
import org.bson.BsonValue;

/**
 * One group stage being run, whole or as one of its halves. Past the bound of memory what the groups have gathered goes to
 * disk, by their keys, and comes together again in the end.
 */
final class GroupRun implements StageStreams.Held {
    private static final int GROUP_OVERHEAD_BYTES = 160;

    private record Member(BsonValue id, Accumulator[] fields) {
        long bytes() {
            long bytes = 0;
            for (Accumulator field : fields) {
                bytes += field.bytes();
            }
            return bytes;
        }
    }

    private final Stage.Group group;
    private final RunContext context;
    private final Map<KeyString, Member> groups = new LinkedHashMap<>();
    private final KeyedRuns runs;
    private long bytes;

    GroupRun(Stage.Group group, RunContext context) {
        this.group = group;
        this.context = context;
        this.runs = new KeyedRuns(context.spill());
    }

    Iterator<RawDocument> run(DocumentStream input) {
        StageStreams.forEach(
                input, context, group.part() == Stage.Group.Part.COMBINE ? this::combine : this::accumulate);
        if (!runs.isEmpty()) {
            spill();
            return combined();
        }
        Iterator<Member> members = groups.values().iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return members.hasNext();
            }

            @Override
            public RawDocument next() {
                return show(members.next());
            }
        };
    }

    private void spill() {
        Iterator<Map.Entry<KeyString, Member>> sorted =
                groups.entrySet().stream().sorted(Map.Entry.comparingByKey()).iterator();
        runs.add(new Iterator<>() {
            @Override
            public boolean hasNext() {
                return sorted.hasNext();
            }

            @Override
            public KeyedRuns.Row next() {
                Map.Entry<KeyString, Member> entry = sorted.next();
                return new KeyedRuns.Row(
                        entry.getKey().bytes(), partial(entry.getValue()).toByteArray());
            }
        });
        groups.clear();
        bytes = 0;
    }

    /** The groups of all runs in the order of their keys: each from what the runs have of it, in their order. */
    private Iterator<RawDocument> combined() {
        Iterator<KeyedRuns.Row> rows = runs.merged();
        return new Iterator<>() {
            private KeyedRuns.Row next = rows.hasNext() ? rows.next() : null;

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public RawDocument next() {
                context.interruption().check();
                byte[] key = next.key();
                Member member = begun(RawDocument.of(next.value()).get("_id"));
                while (next != null && Arrays.equals(next.key(), key)) {
                    combine(member, RawDocument.of(next.value()));
                    next = rows.hasNext() ? rows.next() : null;
                }
                return show(member);
            }
        };
    }

    @Override
    public void close() {
        runs.close();
    }

    private Member begun(BsonValue id) {
        List<Stage.Accumulated> fields = group.fields();
        Accumulator[] accumulators = new Accumulator[fields.size()];
        for (int i = 0; i < accumulators.length; i++) {
            accumulators[i] = Accumulating.make(fields.get(i), id, context);
        }
        return new Member(id, accumulators);
    }

    private Member member(BsonValue id) {
        KeyString key = context.collation().key(id);
        Member member = groups.get(key);
        if (member == null) {
            member = begun(id);
            groups.put(key, member);
            bytes += 2L * key.bytes().length + GROUP_OVERHEAD_BYTES + member.bytes();
        }
        return member;
    }

    private void accumulate(RawDocument document) {
        Scope scope = new Scope(document, context);
        BsonValue id = Evaluator.evaluate(group.id(), scope);
        Member member = member(Values.isMissing(id) ? BsonNull.VALUE : id);
        long before = member.bytes();
        for (int i = 0; i < member.fields.length; i++) {
            Accumulating.add(group.fields().get(i), member.fields[i], document, scope);
        }
        grow(member.bytes() - before);
    }

    private void combine(RawDocument partial) {
        BsonValue id = partial.get("_id");
        if (id == null) {
            throw notPartial();
        }
        Member member = member(id);
        long before = member.bytes();
        combine(member, partial);
        grow(member.bytes() - before);
    }

    private void combine(Member member, RawDocument partial) {
        for (int i = 0; i < member.fields.length; i++) {
            BsonValue gathered = partial.get(group.fields().get(i).name());
            if (gathered == null || !gathered.isDocument()) {
                throw notPartial();
            }
            try {
                member.fields[i].combine(gathered.asDocument());
            } catch (BsonInvalidOperationException | NumberFormatException | NullPointerException e) {
                throw notPartial(); // a client may write the second half by hand, over any documents
            }
        }
    }

    private static RuntimeException notPartial() {
        return BAD_VALUE.because("the second half of a $group was given documents that no first half made");
    }

    private void grow(long more) {
        bytes += more;
        if (bytes > context.limits().groupBytesMax()) {
            if (context.spill().isThere()) {
                spill();
                return;
            }
            throw QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED.because(
                    "Exceeded memory limit for $group of %d bytes, but did not opt in to spilling to disk. Group fewer"
                            + " documents or gather less of each.",
                    context.limits().groupBytesMax());
        }
    }

    private RawDocument partial(Member member) {
        RawBuilder builder = new RawBuilder().put("_id", member.id);
        for (int i = 0; i < member.fields.length; i++) {
            builder.put(group.fields().get(i).name(), member.fields[i].partial());
        }
        return builder.build();
    }

    private RawDocument show(Member member) {
        if (group.part() == Stage.Group.Part.PARTIAL) {
            return partial(member);
        }
        RawBuilder builder = new RawBuilder().put("_id", member.id);
        for (int i = 0; i < member.fields.length; i++) {
            BsonValue value = member.fields[i].result();
            if (!Values.isMissing(value)) {
                builder.put(group.fields().get(i).name(), value);
            }
        }
        return builder.build();
    }
}
