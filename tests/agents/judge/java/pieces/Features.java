package pieces;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What byte code has: each method returns a text that counting must not change. */
public final class Features {
    private int field = 3;
    private static long shared;

    enum Kind { RED, GREEN { @Override int worth() { return 7; } }; int worth() { return ordinal() + 1; } }

    interface Shape { double area(); default String tell() { return getClass().getSimpleName() + area(); } }

    static class Square implements Shape {
        final double side;
        Square(double side) { this.side = side > 0 ? side : -side; for (int k = 0; k < 3; k++) { shared += k; } }
        @Override public double area() { return side * side; }
    }

    final class Inner {
        int look() { return field++ + new Object() { int more() { return field * 2; } }.more(); }
    }

    static class Own<T extends Comparable<T>> extends ArrayList<T> {
        private static final long serialVersionUID = 1;
        T top() { T best = null; for (T one : this) { best = best == null || one.compareTo(best) > 0 ? one : best; }
            return best; }
        @Override public boolean contains(Object o) { return o != null && super.contains(o); }
    }

    public static String switches() {
        StringBuilder out = new StringBuilder();
        for (int k = -2; k < 12; k++) {
            switch (k) {
                case 0: out.append('a'); case 1: out.append('b'); break;
                case 2: case 3: case 4: out.append(k * 2L); break;
                default: out.append('-');
            }
            switch (k * 1000) { case -2000: out.append('<'); break; case 5000: out.append('5'); break;
                case 9000: out.append('9'); }
            switch ("" + k) { case "3": out.append("three"); break; case "7": out.append("seven"); break; default: }
        }
        for (Kind kind : Kind.values()) {
            switch (kind) { case RED: out.append("red"); break; default: out.append(kind.worth()); }
        }
        return out.toString();
    }

    public static String exceptions() {
        StringBuilder out = new StringBuilder();
        for (int k = 0; k < 6; k++) {
            try {
                try {
                    out.append(guarded(k, out));
                } finally {
                    out.append('f');
                }
            } catch (ArithmeticException | NullPointerException error) {
                out.append(error.getClass().getSimpleName());
            } catch (RuntimeException error) {
                out.append(error.getMessage());
            }
        }
        return out.toString();
    }

    private static int guarded(int k, StringBuilder out) {
        int[] some = {1, 2, 3};
        Object none = k == 4 ? null : "text";
        try {
            if (k == 5) {
                throw new IllegalStateException("five");
            }
            return 10 / (k - 1) + some[k] + none.hashCode() % 10;
        } catch (ArrayIndexOutOfBoundsException error) {
            return -1;
        } finally {
            out.append(k);
            if (k == 2) {
                out.append('!');
            }
        }
    }

    public static String locks() {
        Object lock = new Object();
        int sum = 0;
        for (int k = 0; k < 50; k++) {
            synchronized (lock) {
                while (sum % 7 != 0 && k % 3 == 0) {
                    sum++;
                }
                sum += k;
                try {
                    synchronized (Features.class) { if (k == 40) { throw new RuntimeException("x"); } sum ^= 5; }
                } catch (RuntimeException error) {
                    sum += 1000;
                }
            }
        }
        return sum + "" + synchronizedSum(20);
    }

    private static synchronized long synchronizedSum(int n) {
        return n == 0 ? 0 : n + synchronizedSum(n - 1);
    }

    public static String numbers() {
        long total = 1L << 40;
        double real = 0.5;
        float small = 1.25f;
        for (long k = 0; k < 30; k++) {
            total += k * k % 7 - (total >>> 3) + (total & 0xFFL);
            real = real * 1.5 - k / 3.0;
            small += (float) real % 2 + (k > 10 ? 1f : -1f);
            byte b = (byte) (total + k);
            char c = (char) (b & 0x7F);
            short s = (short) -c;
            total ^= s;
            real += real > 1e9 ? -1e9 : Double.compare(real, small);
        }
        return total + " " + real + " " + small + " " + Long.toHexString(total);
    }

    public static String lambdas() {
        int base = 4;
        IntBinaryOperator add = (a, b) -> { int c = base; for (int k = 0; k < b; k++) { c += a; } return c; };
        Function<Integer, Function<Integer, Integer>> curried = a -> b -> a * b + base;
        Supplier<List<String>> make = ArrayList::new;
        Function<List<String>, List<String>> copy = ArrayList::new;
        List<String> words = make.get();
        Collections.addAll(words, "pear", "fig", "apple", "kiwi");
        Function<String, Boolean> has = words::contains;
        BiFunction<String, String, Boolean> starts = String::startsWith;
        words.sort(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()));
        String joined = words.stream().map(String::toUpperCase).filter(word -> word.length() > 3)
                .collect(Collectors.joining(","));
        return add.applyAsInt(2, 5) + " " + curried.apply(3).apply(5) + copy.apply(words) + has.apply("fig")
                + starts.apply("fig", "f") + joined + IntStream.range(0, 10).map(k -> k * k).sum();
    }

    public static String collections() {
        Map<String, List<Integer>> groups = new TreeMap<>();
        Map<Integer, Integer> seen = new HashMap<>();
        PriorityQueue<int[]> queue = new PriorityQueue<>((a, b) -> a[0] != b[0] ? b[0] - a[0] : a[1] - b[1]);
        for (int k = 0; k < 40; k++) {
            groups.computeIfAbsent("g" + k % 3, key -> new ArrayList<>()).add(k);
            seen.merge(k % 5, 1, Integer::sum);
            queue.add(new int[] {k * 7 % 11, k});
        }
        StringBuilder out = new StringBuilder();
        while (!queue.isEmpty()) { out.append(Arrays.toString(queue.poll())); }
        List<Integer> linked = new LinkedList<>(groups.get("g1"));
        out.append(linked.get(3)).append(linked.indexOf(7)).append(linked.contains(10)).append(groups).append(seen);
        Own<String> own = new Own<>();
        own.add("b"); own.add("c"); own.add("a");
        int[][][] cube = new int[2][3][4];
        cube[1][2][3] = 9;
        int[] sorted = {5, 3, 1};
        Arrays.sort(sorted);
        return out + own.top() + own.contains("c") + own.indexOf("a") + own.isEmpty() + Arrays.deepToString(cube)
                + sorted[0] + sorted.clone().length;
    }

    public static String objects() {
        shared = 0;
        Features outer = new Features();
        Inner inner = outer.new Inner();
        Shape shape = new Square(-2.5);
        Object[] all = {shape, 'c', 1.5f, null, new long[] {1, 2}};
        String told = shape.tell() + inner.look() + inner.look() + shared;
        for (Object one : all) {
            told += one instanceof Shape ? ((Shape) one).area() : one instanceof long[] ? "long" : String.valueOf(one);
        }
        return told;
    }

    public static String loops() {
        int count = 0;
        outer:
        for (int a = 0; a < 20; a++) {
            int b = a;
            do {
                b = b % 2 == 0 ? b / 2 : 3 * b + 1;
                if (b > 40) { continue outer; }
                for (int c = 0; c < b; c++) { if (c * a == 35) { break outer; } count += c ^ a; }
            } while (b > 1);
        }
        return "" + count;
    }
}
