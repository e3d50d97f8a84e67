package ludus.judge;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.Map;

/** What library calls cost by the sizes of what they work on. Judged classes call this before such calls. */
public final class Sizes {
    /** How many numbers or letters, which lie side by side in memory, cost a unit. */
    static final int ITEMS_FOR_A_UNIT = 8;

    private static final int MOST_DEPTH = 8;

    private Sizes() {}

    /** Charges for the size of one value. */
    public static void spend(Object value) {
        Counter.spendForSize(of(value));
    }

    /** Charges for the length of a text that was made. */
    public static void spendText(String text) {
        Counter.spendForSize(text.length() / ITEMS_FOR_A_UNIT);
    }

    /** Charges for a new array of so many items, or for a call that works on so many. */
    public static void spendCount(int count) {
        Counter.spendForSize(Math.max(count, 0) / ITEMS_FOR_A_UNIT);
    }

    /** Charges for a new array of arrays, or for one that is looked through to its depth. */
    public static void spendDeep(Object value) {
        Counter.spendForSize(deep(value, 0));
    }

    /** Charges for sorting. */
    public static void spendSort(Object value) {
        long count = count(value);
        Counter.spendForSize(2 * count * (64 - Long.numberOfLeadingZeros(count)));
    }

    /** Charges for a call that may compare every item of one with every item of the other. */
    public static void spendProduct(Object one, Object other) {
        Counter.spendForSize(count(one) * Math.max(count(other), 1));
    }

    /** Charges for the way to an item, which is long in a linked list. */
    public static void spendWay(Object list) {
        if (list instanceof LinkedList) {
            Counter.spendForSize(((LinkedList<?>) list).size() / 2);
        }
    }

    private static long of(Object value) {
        if (value instanceof String) {
            return ((String) value).length() / ITEMS_FOR_A_UNIT;
        }
        if (value instanceof Object[] || value instanceof Collection) {
            return count(value);
        }
        return value instanceof Map ? 2 * count(value) : count(value) / ITEMS_FOR_A_UNIT;
    }

    private static long count(Object value) {
        if (value instanceof Collection) {
            return isLibrary(value) ? ((Collection<?>) value).size() : 0;
        }
        if (value instanceof CharSequence) {
            return isLibrary(value) ? ((CharSequence) value).length() : 0;
        }
        if (value instanceof Map) {
            return isLibrary(value) ? ((Map<?, ?>) value).size() : 0;
        }
        return value != null && value.getClass().isArray() ? Array.getLength(value) : 0;
    }

    /** An agent's own collections are counted by what they do, unless they only extend the library's. */
    private static boolean isLibrary(Object value) {
        Class<?> kind = value.getClass();
        if (kind == ArrayList.class || kind == StringBuilder.class || kind == HashMap.class) {
            return true;
        }
        while (kind.getClassLoader() != null) {
            kind = kind.getSuperclass();
        }
        return kind != Object.class;
    }

    private static long deep(Object value, int depth) {
        long units = of(value);
        if (value instanceof Object[] && depth < MOST_DEPTH) {
            for (Object part : (Object[]) value) {
                units += deep(part, depth + 1);
            }
        }
        return units;
    }
}
