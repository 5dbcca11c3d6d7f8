package io.ostraka.query.text;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How much words of a text say: the more, the more often one stands there, each time half as much, and the fewer others
 * there are; a word that is its own stem a tenth more.
 */
final class TextScore {
    private static final double OWN_STEM = 1.1;

    private static final class Count {
        private int count;
        private double weight;
        private double next = 1;
        private boolean ownStem;
    }

    private TextScore() {}

    /** Adds the scores of some stems in one text to what they have. */
    static void add(List<Words.Word> words, int weight, Set<String> stems, Map<String, Double> scores) {
        Map<String, Count> counts = new HashMap<>();
        for (Words.Word word : words) {
            if (stems.contains(word.stem())) {
                Count count = counts.computeIfAbsent(word.stem(), _ -> new Count());
                count.count++;
                count.weight += count.next;
                count.next /= 2;
                count.ownStem |= word.written().equals(word.stem());
            }
        }
        counts.forEach((stem, count) -> {
            double share = 0.5 * count.count / words.size() + 0.5;
            double score = weight * count.weight * share * (count.ownStem ? OWN_STEM : 1);
            scores.merge(stem, score, Double::sum);
        });
    }
}
