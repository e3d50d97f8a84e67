import engine.core.MarioAgent;
import engine.core.MarioForwardModel;
import engine.core.MarioTimer;
import engine.helper.GameStatus;
import engine.helper.MarioActions;
import java.util.Comparator;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Searches for the quickest way to the right with A*, on clones of the forward model.
 *
 * <p>It stops after a number of expansions instead of looking at the clock, so it plays the same everywhere.
 */
public class AStar implements MarioAgent {
    private static final boolean[][] CHOICES = {
        press(MarioActions.RIGHT, MarioActions.SPEED),
        press(MarioActions.RIGHT, MarioActions.SPEED, MarioActions.JUMP),
        press(MarioActions.RIGHT, MarioActions.JUMP),
        press(MarioActions.LEFT, MarioActions.JUMP),
        press(MarioActions.LEFT),
    };
    private static final int HELD = 3; // ticks for each choice
    private static final int EXPANSIONS = 120;
    private static final double AHEAD = 176; // pixels to the goal
    private static final double TOP_SPEED = 10.9; // pixels a tick
    private static final double HURT = 100; // ticks that a lost power is worth
    private static final int PLACE = 2; // pixels that count as the same place

    /** A state that the search has reached. */
    private static final class Node {
        private final MarioForwardModel model;
        private final boolean[] first;
        private final int ticks;
        private final int number;
        private final double cost;

        Node(MarioForwardModel model, boolean[] first, int ticks, int number, double cost) {
            this.model = model;
            this.first = first;
            this.ticks = ticks;
            this.number = number;
            this.cost = cost;
        }
    }

    private final PriorityQueue<Node> open =
            new PriorityQueue<>(Comparator.<Node>comparingDouble(n -> n.cost).thenComparingInt(n -> n.number));
    private final Set<Long> places = new HashSet<>();
    private double goal;
    private int mode;
    private int made;
    private boolean[] held;
    private int left;

    @Override
    public void initialize(MarioForwardModel model, MarioTimer timer) {}

    @Override
    public boolean[] getActions(MarioForwardModel model, MarioTimer timer) {
        if (left == 0) {
            held = search(model);
            left = HELD;
        }
        left--;
        return held;
    }

    @Override
    public String getAgentName() {
        return "A*";
    }

    /** Returns how the best way begins that was found in time. */
    private boolean[] search(MarioForwardModel model) {
        open.clear();
        places.clear();
        made = 0;
        goal = model.getMarioFloatPos()[0] + AHEAD;
        mode = model.getMarioMode();
        Node best = new Node(model, CHOICES[1], 0, made++, 0);
        open.add(best);
        for (int expansion = 0; expansion < EXPANSIONS && !open.isEmpty(); expansion++) {
            best = open.poll();
            if (isGoal(best)) {
                break;
            }
            expand(best);
        }
        return best.first;
    }

    private boolean isGoal(Node node) {
        return node.model.getGameStatus() == GameStatus.WIN || node.model.getMarioFloatPos()[0] >= goal;
    }

    private static boolean isLost(MarioForwardModel model) {
        boolean below = model.getMarioFloatPos()[1] > model.getLevelFloatDimensions()[1];
        return below || model.getGameStatus() == GameStatus.LOSE;
    }

    private void expand(Node node) {
        for (boolean[] choice : CHOICES) {
            MarioForwardModel ahead = node.model.clone();
            for (int tick = 0; tick < HELD; tick++) {
                ahead.advance(choice);
            }
            if (!isLost(ahead) && places.add(place(ahead))) {
                boolean[] first = node.ticks == 0 ? choice : node.first;
                int ticks = node.ticks + HELD;
                open.add(new Node(ahead, first, ticks, made++, ticks + estimate(ahead)));
            }
        }
    }

    /** Returns the ticks to the goal at best, and what was lost on the way. */
    private double estimate(MarioForwardModel model) {
        double distance = Math.max(0, goal - model.getMarioFloatPos()[0]);
        return distance / TOP_SPEED + HURT * Math.max(0, mode - model.getMarioMode());
    }

    private static long place(MarioForwardModel model) {
        float[] position = model.getMarioFloatPos();
        long column = (long) (position[0] / PLACE);
        long row = (long) (position[1] / PLACE);
        return column << 32 | row & 0xFFFFFFFFL;
    }

    private static boolean[] press(MarioActions... actions) {
        boolean[] buttons = new boolean[MarioActions.numberOfActions()];
        for (MarioActions action : actions) {
            buttons[action.getValue()] = true;
        }
        return buttons;
    }
}
