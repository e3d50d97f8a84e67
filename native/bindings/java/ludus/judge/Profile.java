package ludus.judge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** How often each block of an agent was entered, and what it has used. */
final class Profile {
    private final List<String> places = new ArrayList<>();
    private int[] costs = new int[1024];
    private long[] entered = new long[1024];
    private long[] forSize = new long[1024];
    private int current;

    /** Returns the number of a new block. */
    int add(String place, int cost) {
        int number = places.size();
        places.add(place);
        if (number == costs.length) {
            costs = Arrays.copyOf(costs, 2 * number);
            entered = Arrays.copyOf(entered, 2 * number);
            forSize = Arrays.copyOf(forSize, 2 * number);
        }
        costs[number] = cost;
        return number;
    }

    /** Counts a block and returns what it costs. */
    int enter(int block) {
        current = block;
        entered[block]++;
        return costs[block];
    }

    void addForSize(long units) {
        if (current < forSize.length) {
            forSize[current] += units;
        }
    }

    /** Returns a line a block that cost something, the dearest first. */
    List<String> lines() {
        List<Integer> blocks = new ArrayList<>();
        for (int block = 0; block < places.size(); block++) {
            if (units(block) > 0) {
                blocks.add(block);
            }
        }
        blocks.sort(Comparator.comparingLong(block -> -units(block)));
        List<String> lines = new ArrayList<>();
        for (int block : blocks) {
            lines.add(places.get(block) + "\t" + entered[block] + "\t" + units(block));
        }
        return lines;
    }

    private long units(int block) {
        return entered[block] * costs[block] + forSize[block];
    }
}
