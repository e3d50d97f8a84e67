import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;

/** Pieces of work as agents do them. Each public method takes a size and returns a number that depends on all of it. */
public final class Programs {
    private Programs() {}

    /** Searches a way through a grid with A*, as planners do. */
    public static long gridSearch(int size) {
        int side = 10 * size;
        int[][] cost = new int[side][side];
        for (int[] row : cost) {
            Arrays.fill(row, Integer.MAX_VALUE);
        }
        PriorityQueue<int[]> open = new PriorityQueue<>((a, b) -> a[2] - b[2]);
        open.add(new int[] {0, 0, 0});
        cost[0][0] = 0;
        int looked = 0;
        while (!open.isEmpty()) {
            int[] node = open.poll();
            looked++;
            if (node[0] == side - 1 && node[1] == side - 1) {
                break;
            }
            for (int way = 0; way < 4; way++) {
                int x = node[0] + (way == 0 ? 1 : way == 1 ? -1 : 0);
                int y = node[1] + (way == 2 ? 1 : way == 3 ? -1 : 0);
                if (x < 0 || y < 0 || x >= side || y >= side || (x * 7 + y * 13) % 5 == 0) {
                    continue;
                }
                int next = cost[node[0]][node[1]] + 1;
                if (next < cost[x][y]) {
                    cost[x][y] = next;
                    open.add(new int[] {x, y, next + 2 * side - x - y});
                }
            }
        }
        return looked;
    }

    /** Runs a small network forward, as learned agents do. */
    public static double network(int size) {
        double[] in = new double[64];
        double[][] first = weights(64, 32);
        double[][] second = weights(32, 5);
        double sum = 0;
        for (int play = 0; play < 10 * size; play++) {
            in[play % 64] = play;
            double[] hidden = layer(in, first);
            for (double out : layer(hidden, second)) {
                sum += out;
            }
        }
        return sum;
    }

    private static double[][] weights(int ins, int outs) {
        double[][] weights = new double[outs][ins];
        for (int k = 0; k < outs; k++) {
            for (int j = 0; j < ins; j++) {
                weights[k][j] = Math.sin(k + 3.0 * j);
            }
        }
        return weights;
    }

    private static double[] layer(double[] in, double[][] weights) {
        double[] out = new double[weights.length];
        for (int k = 0; k < out.length; k++) {
            double sum = 0;
            for (int j = 0; j < in.length; j++) {
                sum += in[j] * weights[k][j];
            }
            out[k] = Math.tanh(sum);
        }
        return out;
    }

    /** Counts words in maps, and builds texts. */
    public static long words(int size) {
        Map<String, Integer> counts = new HashMap<>();
        for (int k = 0; k < 200 * size; k++) {
            counts.merge("w" + k % 97, 1, Integer::sum);
        }
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, Integer> entry : counts.entrySet()) {
            text.append(entry.getKey()).append('=').append(entry.getValue()).append(' ');
        }
        return text.length();
    }

    /** Calls itself, as searches of trees do. */
    public static long tree(int size) {
        return best(size, 12, true);
    }

    private static long best(long state, int depth, boolean maximises) {
        if (depth == 0) {
            return state * 2654435761L >>> 20 & 1023;
        }
        long best = maximises ? Long.MIN_VALUE : Long.MAX_VALUE;
        for (int move = 0; move < 2; move++) {
            long worth = best(state * 31 + move, depth - 1, !maximises);
            best = maximises ? Math.max(best, worth) : Math.min(best, worth);
        }
        return best;
    }

    /** Sorts small objects by what a lambda says. */
    public static long sorting(int size) {
        List<Node> nodes = new ArrayList<>();
        Random random = new Random(5);
        for (int k = 0; k < 100 * size; k++) {
            nodes.add(new Node(random.nextInt(1000), k));
        }
        nodes.sort(Comparator.comparingInt((Node node) -> node.worth).thenComparing(node -> -node.number));
        long sum = 0;
        for (int k = 0; k < nodes.size(); k++) {
            sum += (long) k * nodes.get(k).number();
        }
        return sum;
    }

    private static final class Node {
        private final int worth;
        private final int number;

        Node(int worth, int number) {
            this.worth = worth;
            this.number = number;
        }

        int number() {
            return number;
        }
    }

    /** Looks at grids as agents of rules do: what is ahead, and how high is it? */
    public static long rules(int size) {
        int[][] grid = new int[16][16];
        for (int k = 0; k < 256; k++) {
            grid[k / 16][k % 16] = k * 37 % 11 == 0 ? 17 : k * 13 % 29 == 0 ? 2 : 0;
        }
        long pressed = 0;
        for (int tick = 0; tick < 200 * size; tick++) {
            boolean jump = false;
            int height = 0;
            for (int x = 9; x < 13 && !jump; x++) {
                for (int y = 4; y < 10; y++) {
                    int cell = grid[x][(y + tick) % 16];
                    if (cell == 17) {
                        height++;
                        jump |= y > 7;
                    } else if (cell == 2 || cell == 8) {
                        jump = true;
                    }
                }
            }
            switch (height) {
                case 0: pressed += jump ? 2 : 1; break;
                case 1: pressed += 10; break;
                case 2: pressed += jump ? 26 : 18; break;
                default: pressed += 3;
            }
        }
        return pressed;
    }

    /** Steps bodies with floats, as agents with a model of their own do. */
    public static double bodies(int size) {
        float x = 32, y = 32, vx = 0, vy = 0;
        double sum = 0;
        for (int tick = 0; tick < 2000 * size; tick++) {
            boolean ground = y >= 200;
            vx = (vx + (tick % 7 < 5 ? 1.2f : -0.6f)) * 0.89f;
            vy = ground && tick % 40 < 8 ? -13.3f : vy * 0.85f + 3f;
            x += vx;
            y = Math.min(y + vy, 200);
            if (x > 4000) {
                x = 32;
            }
            sum += x + y;
        }
        return sum;
    }

    /** Finds primes with an array. */
    public static long sieve(int size) {
        boolean[] struck = new boolean[3000 * size];
        int count = 0;
        for (int k = 2; k < struck.length; k++) {
            if (!struck[k]) {
                count++;
                for (long j = (long) k * k; j < struck.length; j += k) {
                    struck[(int) j] = true;
                }
            }
        }
        return count;
    }

    /** Changes strategies as evolution does, with objects and their methods. */
    public static double evolution(int size) {
        Random random = new Random(3);
        double[] best = new double[20];
        double worth = worth(best);
        for (int k = 0; k < 100 * size; k++) {
            double[] child = best.clone();
            child[random.nextInt(child.length)] += random.nextGaussian();
            double other = worth(child);
            if (other > worth) {
                worth = other;
                best = child;
            }
        }
        return worth;
    }

    private static double worth(double[] genes) {
        double worth = 0;
        for (int k = 0; k < genes.length; k++) {
            worth -= Math.abs(genes[k] - k) + (k > 0 ? 0.1 * Math.abs(genes[k] * genes[k - 1]) : 0);
        }
        return worth;
    }
}
