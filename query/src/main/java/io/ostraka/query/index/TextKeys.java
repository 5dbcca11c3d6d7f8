package io.ostraka.query.index;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.text.TextRules;
import io.ostraka.query.text.TextStems;
import java.util.List;
import java.util.Set;
import org.bson.BsonString;

/** The stems of a document's words. */
record TextKeys(TextRules rules) implements DerivedKeys {
    @Override
    public Parts of(RawDocument document) {
        Set<String> stems = TextStems.of(document, rules);
        if (stems.isEmpty()) {
            Part nothing = (key, descending) -> key.addNull(descending);
            return new Parts(List.of(nothing), true, false);
        }
        List<Part> all = stems.stream()
                .map(stem -> (Part) (key, descending) -> key.add(new BsonString(stem), descending))
                .toList();
        return new Parts(all, false, all.size() > 1);
    }
}
