package pieces;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/** Methods whose units are worked out by hand in the tests. */
public final class ByHand {
    private ByHand() {}

    /** Straight: iload_0, iload_0, iload_1, iadd, imul, ireturn. */
    public static int straight(int a, int b) {
        return a * (a + b);
    }

    /** A loop with a branch in it. */
    public static int loop(int n) {
        int sum = 0;
        for (int k = 0; k < n; k++) {
            if (k % 2 == 0) {
                sum += k;
            }
        }
        return sum;
    }

    /** An array, filled and sorted. */
    public static int sorted(int n) {
        int[] numbers = new int[n];
        Arrays.sort(numbers);
        return numbers.length;
    }

    /** Catches everything, everywhere. */
    public static void forever() {
        while (true) {
            try {
                while (true) { }
            } catch (Throwable error) {
                continue;
            } finally {
                forever();
            }
        }
    }

    /** Throws away what was gathered, in a lambda that the library calls. */
    public static void throwsForever() {
        List<Integer> numbers = new ArrayList<>(Arrays.asList(3, 1, 2));
        while (true) {
            try {
                numbers.sort((a, b) -> a / (b - b));
            } catch (ArithmeticException error) {
                continue;
            }
        }
    }

    /** Lets the library look through a million numbers, again and again. */
    public static void looksForever() {
        Predicate<Integer> has = Collections.nCopies(1_000_000, 1)::contains;
        while (!has.test(2)) { }
    }
}
