package io.ostraka.query.collation;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.IDL_FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.IDL_UNKNOWN_FIELD;
import static io.ostraka.core.error.ErrorCode.INCOMPATIBLE_COLLATION_VERSION;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import com.ibm.icu.text.Collator;
import com.ibm.icu.text.RuleBasedCollator;
import com.ibm.icu.util.ULocale;
import com.ibm.icu.util.VersionInfo;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.bson.ValueOrder;
import io.ostraka.core.key.KeyString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** How strings compare. Immutable; safe for many threads. */
public final class Collation {
    /** By their bytes, as without any collation. */
    public static final Collation SIMPLE = new Collation(new BsonDocument("locale", new BsonString("simple")), null);

    /** The version of the rules, which keys of indexes depend on. */
    public static final String VERSION = VersionInfo.ICU_VERSION.toString();

    private static final Set<String> KNOWN = Set.of(
            "locale",
            "caseLevel",
            "caseFirst",
            "strength",
            "numericOrdering",
            "alternate",
            "maxVariable",
            "normalization",
            "backwards",
            "version");

    private static final Set<String> LOCALES = Arrays.stream(Collator.getAvailableULocales())
            .map(ULocale::getBaseName)
            .collect(Collectors.toUnmodifiableSet());

    private final BsonDocument shown;
    private final Collator collator;

    private Collation(BsonDocument shown, Collator collator) {
        this.shown = shown;
        this.collator = collator;
    }

    /** Reads a client's collation, or the simple one where there is none. */
    public static Collation of(Optional<RawDocument> document) {
        return document.map(rules -> parse(rules.toBson())).orElse(SIMPLE);
    }

    /**
     * Reads a collation.
     *
     * @throws io.ostraka.core.error.CommandException 2 BadValue for a locale or an option that does not exist, 14, 40414 or 40415
     */
    public static Collation parse(BsonDocument document) {
        for (String name : document.keySet()) {
            if (!KNOWN.contains(name)) {
                throw IDL_UNKNOWN_FIELD.because("BSON field 'collation.%s' is an unknown field.", name);
            }
        }
        if (!document.containsKey("locale")) {
            throw IDL_FAILED_TO_PARSE.because("BSON field 'collation.locale' is missing but a required field");
        }
        String locale = text(document, "locale", "");
        if (locale.equals("simple")) {
            if (document.size() > 1) {
                throw BAD_VALUE.because("The locale 'simple' takes no other fields: %s", document.toJson());
            }
            return SIMPLE;
        }
        String version = text(document, "version", VERSION);
        if (!version.equals(VERSION)) {
            throw INCOMPATIBLE_COLLATION_VERSION.because(
                    "Requested collation version %s, but the only available collation version is %s: make the indexes of"
                            + " this collation anew with the version that is here",
                    version, VERSION);
        }
        RuleBasedCollator collator = collator(locale, document);
        apply(document, collator);
        return new Collation(show(locale, collator), collator.freeze());
    }

    private static RuleBasedCollator collator(String locale, BsonDocument document) {
        ULocale wanted = new ULocale(locale);
        String language = wanted.getBaseName();
        boolean known = LOCALES.contains(language);
        String kind = wanted.getKeywordValue("collation");
        boolean kindKnown = kind == null
                ? locale.indexOf('@') < 0
                : Arrays.asList(Collator.getKeywordValuesForLocale("collation", wanted, false))
                        .contains(kind);
        if (!known || !kindKnown || !(Collator.getInstance(wanted) instanceof RuleBasedCollator rules)) {
            throw BAD_VALUE.because("Field 'locale' is invalid in: %s", document.toJson());
        }
        return rules.cloneAsThawed();
    }

    private static void apply(BsonDocument document, RuleBasedCollator collator) {
        if (document.containsKey("strength")) {
            BsonValue strength = document.get("strength");
            if (!strength.isNumber()) {
                throw wrongType("strength", "a number");
            }
            collator.setStrength(
                    switch (strength.asNumber().intValue()) {
                        case 1 -> Collator.PRIMARY;
                        case 2 -> Collator.SECONDARY;
                        case 3 -> Collator.TERTIARY;
                        case 4 -> Collator.QUATERNARY;
                        case 5 -> Collator.IDENTICAL;
                        default -> throw BAD_VALUE.because("Field 'strength' must be an integer 1 through 5");
                    });
        }
        if (document.containsKey("caseLevel")) {
            collator.setCaseLevel(bool(document, "caseLevel"));
        }
        if (document.containsKey("numericOrdering")) {
            collator.setNumericCollation(bool(document, "numericOrdering"));
        }
        if (document.containsKey("normalization")) {
            collator.setDecomposition(
                    bool(document, "normalization") ? Collator.CANONICAL_DECOMPOSITION : Collator.NO_DECOMPOSITION);
        }
        if (document.containsKey("backwards")) {
            collator.setFrenchCollation(bool(document, "backwards"));
        }
        switch (text(document, "caseFirst", "")) {
            case "" -> {}
            case "upper" -> collator.setUpperCaseFirst(true);
            case "lower" -> collator.setLowerCaseFirst(true);
            case "off" -> {
                collator.setUpperCaseFirst(false);
                collator.setLowerCaseFirst(false);
            }
            default -> throw wrongOption("caseFirst", "'upper', 'lower' or 'off'");
        }
        switch (text(document, "alternate", "")) {
            case "" -> {}
            case "shifted" -> collator.setAlternateHandlingShifted(true);
            case "non-ignorable" -> collator.setAlternateHandlingShifted(false);
            default -> throw wrongOption("alternate", "'non-ignorable' or 'shifted'");
        }
        switch (text(document, "maxVariable", "")) {
            case "" -> {}
            case "punct" -> collator.setMaxVariable(Collator.ReorderCodes.PUNCTUATION);
            case "space" -> collator.setMaxVariable(Collator.ReorderCodes.SPACE);
            default -> throw wrongOption("maxVariable", "'punct' or 'space'");
        }
    }

    private static RuntimeException wrongOption(String name, String wanted) {
        return BAD_VALUE.because("Enumeration value for field 'collation.%s' must be %s", name, wanted);
    }

    private static RuntimeException wrongType(String name, String wanted) {
        return TYPE_MISMATCH.because("BSON field 'collation.%s' must be %s", name, wanted);
    }

    private static boolean bool(BsonDocument document, String name) {
        BsonValue value = document.get(name);
        if (!value.isBoolean()) {
            throw wrongType(name, "a boolean");
        }
        return value.asBoolean().getValue();
    }

    private static String text(BsonDocument document, String name, String otherwise) {
        BsonValue value = document.get(name);
        if (value == null) {
            return otherwise;
        }
        if (!value.isString()) {
            throw wrongType(name, "a string");
        }
        return value.asString().getValue();
    }

    private static BsonDocument show(String locale, RuleBasedCollator collator) {
        int strength = switch (collator.getStrength()) {
            case Collator.PRIMARY -> 1;
            case Collator.SECONDARY -> 2;
            case Collator.TERTIARY -> 3;
            case Collator.QUATERNARY -> 4;
            default -> 5;
        };
        String caseFirst = collator.isUpperCaseFirst() ? "upper" : collator.isLowerCaseFirst() ? "lower" : "off";
        boolean space = collator.getMaxVariable() == Collator.ReorderCodes.SPACE;
        return new BsonDocument("locale", new BsonString(locale))
                .append("caseLevel", BsonBoolean.valueOf(collator.isCaseLevel()))
                .append("caseFirst", new BsonString(caseFirst))
                .append("strength", new BsonInt32(strength))
                .append("numericOrdering", BsonBoolean.valueOf(collator.getNumericCollation()))
                .append(
                        "alternate",
                        new BsonString(collator.isAlternateHandlingShifted() ? "shifted" : "non-ignorable"))
                .append("maxVariable", new BsonString(space ? "space" : "punct"))
                .append(
                        "normalization",
                        BsonBoolean.valueOf(collator.getDecomposition() == Collator.CANONICAL_DECOMPOSITION))
                .append("backwards", BsonBoolean.valueOf(collator.isFrenchCollation()))
                .append("version", new BsonString(VERSION));
    }

    public boolean isSimple() {
        return collator == null;
    }

    /** All options, those too that were not given, with the version of the rules. */
    public BsonDocument toDocument() {
        return shown.clone();
    }

    /** Whether a value of this type may hold a string. */
    public static boolean concerns(byte type) {
        return type == 0x02 || type == 0x0E || type == 0x03 || type == 0x04;
    }

    /** A value by which the one at hand compares; itself where it holds no string. */
    public BsonValue fold(BsonValue value) {
        if (isSimple()) {
            return value;
        }
        return switch (value.getBsonType()) {
            case STRING -> text(value.asString().getValue());
            case SYMBOL -> text(value.asSymbol().getSymbol());
            case DOCUMENT -> {
                BsonDocument folded = new BsonDocument();
                value.asDocument().forEach((name, field) -> folded.put(name, fold(field)));
                yield folded;
            }
            case ARRAY -> new BsonArray(value.asArray().stream().map(this::fold).toList());
            default -> value;
        };
    }

    /** The same of the value a cursor stands on; the cursor itself where it holds no string. */
    public RawCursor fold(RawCursor value) {
        return isSimple() || !concerns(value.typeByte()) ? value : RawCursor.of(fold(value.value()));
    }

    private BsonString text(String text) {
        byte[] key = collator.getCollationKey(text).toByteArray();
        return new BsonString(new String(key, 0, key.length - 1, StandardCharsets.ISO_8859_1)); // it ends with a zero
    }

    /** The order of values under this collation. */
    public Comparator<BsonValue> order() {
        return isSimple() ? ValueOrder.ORDER : (one, other) -> ValueOrder.ORDER.compare(fold(one), fold(other));
    }

    /** Whether two values are equal under this collation. */
    public boolean equal(BsonValue one, BsonValue other) {
        return order().compare(one, other) == 0;
    }

    /** The key by which values are told apart and ordered. */
    public KeyString key(BsonValue value) {
        return KeyString.of(fold(value));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Collation that && shown.equals(that.shown);
    }

    @Override
    public int hashCode() {
        return shown.hashCode();
    }

    @Override
    public String toString() {
        return shown.toJson();
    }
}
