package io.ostraka.acceptance.histories;

import io.ostraka.acceptance.histories.Attempt.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Judges transactions over lists against snapshot isolation with sessions. As values are unique and lists only grow, a list
 * tells in which order its writers came, and a read tells between which of them it stands (the method of Kingsbury and Alvaro,
 * "Elle: Inferring Isolation Anomalies from Experimental Observations", 2020). Snapshot isolation then holds just if no cycle
 * exists of dependencies (a session's order, write after write, read of a write) each followed by at most one
 * anti-dependency (a write after a read): Cerone and Gotsman, "Analysing Snapshot Isolation", 2016.
 */
final class ListHistory {
    /** What a transaction did, in its order. */
    sealed interface Op {
        int key();

        /** @param value used once in the whole history */
        record Append(int key, int value) implements Op {}

        /** @param values what it was answered, the transaction's own appends among them */
        record Read(int key, List<Integer> values) implements Op {}
    }

    /** @param client transactions of a client follow each other in the order of the history */
    record Txn(int client, List<Op> ops, Outcome outcome) {}

    private final List<Txn> history;
    private final List<String> anomalies = new ArrayList<>();

    /** A key's values in the order they were appended, as found in the end. */
    private final Map<Integer, List<Integer>> orders = new HashMap<>();

    /** The transaction that appended a value, as an index of the history. */
    private final Map<Integer, Integer> writers = new HashMap<>();

    /** By transaction, those that must come after it. */
    private final List<Set<Integer>> dependencies = new ArrayList<>();

    private final List<Set<Integer>> antiDependencies = new ArrayList<>();

    /** @param end reads of all lists when everything was over */
    ListHistory(List<Txn> history, List<Op> end) {
        this.history = history;
        for (Op op : end) {
            orders.put(op.key(), ((Op.Read) op).values());
        }
        for (int i = 0; i < history.size(); i++) {
            dependencies.add(new TreeSet<>());
            antiDependencies.add(new TreeSet<>());
            for (Op op : history.get(i).ops()) {
                if (op instanceof Op.Append append) {
                    writers.put(append.value(), i);
                }
            }
        }
    }

    /** What cannot be under snapshot isolation, each in words; empty where all is well. */
    List<String> anomalies() {
        orders.forEach(this::judgeOrder);
        Map<Integer, Integer> last = new HashMap<>();
        for (int i = 0; i < history.size(); i++) {
            Txn txn = history.get(i);
            if (happened(i)) {
                judgeReads(i);
                Integer before = last.put(txn.client(), i);
                if (before != null) {
                    dependencies.get(before).add(i);
                }
            }
            if (txn.outcome() == Outcome.COMMITTED) {
                judgeAppends(i);
            }
        }
        if (anomalies.isEmpty()) {
            new Cycle().find();
        }
        return anomalies;
    }

    /** Whether it committed, as far as it was told or can be seen. */
    private boolean happened(int index) {
        Txn txn = history.get(index);
        return txn.outcome() == Outcome.COMMITTED
                || txn.outcome() == Outcome.UNKNOWN
                        && txn.ops().stream()
                                .anyMatch(op -> op instanceof Op.Append append
                                        && order(op).contains(append.value()));
    }

    private List<Integer> order(Op op) {
        return orders.getOrDefault(op.key(), List.of());
    }

    private void judgeOrder(int key, List<Integer> order) {
        if (new HashSet<>(order).size() < order.size()) {
            anomalies.add("twice in list " + key + ": " + order);
        }
        for (int i = 0; i < order.size(); i++) {
            Integer writer = writers.get(order.get(i));
            if (writer == null) {
                anomalies.add("nobody appended " + order.get(i) + " to list " + key);
            } else if (history.get(writer).outcome() == Outcome.ABORTED) {
                anomalies.add(order.get(i) + " in list " + key + " is of an aborted " + history.get(writer));
            } else if (i > 0 && writers.get(order.get(i - 1)) instanceof Integer before && !before.equals(writer)) {
                dependencies.get(before).add(writer);
            }
        }
    }

    private void judgeAppends(int index) {
        for (Op op : history.get(index).ops()) {
            if (op instanceof Op.Append append && !order(op).contains(append.value())) {
                anomalies.add(append.value() + " was lost from list " + op.key() + ": " + history.get(index));
            }
        }
    }

    private void judgeReads(int index) {
        Set<Integer> appendedTo = new HashSet<>();
        for (Op op : history.get(index).ops()) {
            if (op instanceof Op.Append) {
                appendedTo.add(op.key());
            } else if (op instanceof Op.Read read) {
                List<Integer> order = order(op);
                int size = read.values().size();
                if (size > order.size() || !order.subList(0, size).equals(read.values())) {
                    anomalies.add("read what never was, " + read + ", of " + order);
                } else if (!appendedTo.contains(op.key())) {
                    stands(index, order, size);
                }
            }
        }
    }

    /** A read of the first {@code size} of a list stands after the last one's writer and before the next one's. */
    private void stands(int index, List<Integer> order, int size) {
        Integer before = size == 0 ? null : writers.get(order.get(size - 1));
        Integer after = size == order.size() ? null : writers.get(order.get(size));
        if (before != null && before.equals(after)) {
            anomalies.add("saw a part of " + history.get(before) + ": " + history.get(index));
        }
        if (before != null && before != index) {
            dependencies.get(before).add(index);
        }
        if (after != null && after != index) {
            antiDependencies.get(index).add(after);
        }
    }

    /** Looks for a way back to where it began, depth first and without recursion: histories are long. */
    private final class Cycle {
        private static final int OPEN = 1;
        private static final int DONE = 2;

        private final int[] states = new int[history.size()];

        void find() {
            for (int i = 0; i < history.size() && anomalies.isEmpty(); i++) {
                if (states[i] == 0) {
                    walk(i);
                }
            }
        }

        private void walk(int start) {
            List<Integer> path = new ArrayList<>();
            List<List<Integer>> rest = new ArrayList<>();
            enter(start, path, rest);
            while (!path.isEmpty()) {
                List<Integer> next = rest.getLast();
                if (next.isEmpty()) {
                    states[path.removeLast()] = DONE;
                    rest.removeLast();
                } else {
                    int to = next.removeLast();
                    if (states[to] == OPEN) {
                        anomalies.add("a cycle: "
                                + path.subList(path.indexOf(to), path.size()).stream()
                                        .map(history::get)
                                        .toList());
                        return;
                    }
                    if (states[to] == 0) {
                        enter(to, path, rest);
                    }
                }
            }
        }

        private void enter(int index, List<Integer> path, List<List<Integer>> rest) {
            states[index] = OPEN;
            path.add(index);
            rest.add(steps(index));
        }

        /** A dependency, or one and an anti-dependency after it. */
        private List<Integer> steps(int index) {
            Set<Integer> all = new TreeSet<>(dependencies.get(index));
            dependencies.get(index).forEach(to -> all.addAll(antiDependencies.get(to)));
            return new ArrayList<>(all);
        }
    }
}
