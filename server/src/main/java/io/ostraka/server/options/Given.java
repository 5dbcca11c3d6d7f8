package io.ostraka.server.options;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The options that were given, by flag, wherever they stood. A flag of the command line wins over the same key in a file.
 */
public final class Given {
    private final Map<String, List<String>> values = new LinkedHashMap<>();

    void add(Option option, String value) {
        List<String> all = values.computeIfAbsent(option.flag(), ignored -> new ArrayList<>());
        if (option.takes() != Option.Takes.VALUES) {
            all.clear();
        }
        all.add(value);
    }

    /** Takes what a file says where the command line says nothing. */
    void addMissing(Given file) {
        file.values.forEach(values::putIfAbsent);
    }

    public boolean has(String flag) {
        return values.containsKey(flag) && !values.get(flag).getLast().equals("false");
    }

    public Optional<String> value(String flag) {
        return Optional.ofNullable(values.get(flag)).map(List::getLast);
    }

    public List<String> values(String flag) {
        return values.getOrDefault(flag, List.of());
    }

    /**
     * A whole number within bounds.
     *
     * @throws OptionError otherwise
     */
    int number(String flag, int otherwise, int min, int max) {
        if (!values.containsKey(flag)) {
            return otherwise;
        }
        String text = values.get(flag).getLast();
        try {
            int number = Integer.parseInt(text.strip());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new OptionError(
                    "--" + flag + " must be a whole number from " + min + " to " + max + ", not '" + text + "'.");
        }
        throw new OptionError("--" + flag + " must be from " + min + " to " + max + ", not " + text + ".");
    }

    /** All flags that were given. */
    Iterable<String> flags() {
        return values.keySet();
    }
}
