package tests;

import engine.core.MarioAgent;
import engine.core.MarioForwardModel;
import engine.core.MarioTimer;
import engine.helper.GameStatus;
import java.util.ArrayList;
import java.util.List;

/** Looks for the furthest place with the forward model, best first; test_java.py has the same in Python. */
public class Planner implements MarioAgent {
    private static final int[] CHOICES = {0b01010, 0b11010, 0b00010, 0b10001};
    private static final int EXPANSIONS = 12;
    private static final int HELD = 4;
    private static final float LOST = -100_000;

    private static final class Node {
        private final MarioForwardModel model;
        private final int first;
        private final float worth;

        Node(MarioForwardModel model, int first) {
            this.model = model;
            this.first = first;
            this.worth = model.getMarioFloatPos()[0] + (model.getGameStatus() == GameStatus.LOSE ? LOST : 0);
        }
    }

    @Override
    public void initialize(MarioForwardModel model, MarioTimer timer) {}

    @Override
    public boolean[] getActions(MarioForwardModel model, MarioTimer timer) {
        List<Node> open = new ArrayList<>();
        Node best = null;
        expand(new Node(model, -1), open);
        for (int expansion = 0; expansion < EXPANSIONS && !open.isEmpty(); expansion++) {
            Node node = takeBest(open);
            best = best == null || node.worth > best.worth ? node : best;
            if (node.model.getGameStatus() == GameStatus.RUNNING) {
                expand(node, open);
            }
        }
        return buttons(best.first);
    }

    private static void expand(Node node, List<Node> open) {
        for (int choice : CHOICES) {
            MarioForwardModel ahead = node.model.clone();
            for (int tick = 0; tick < HELD; tick++) {
                ahead.advance(buttons(choice));
            }
            open.add(new Node(ahead, node.first < 0 ? choice : node.first));
        }
    }

    private static Node takeBest(List<Node> open) {
        int best = 0;
        for (int k = 1; k < open.size(); k++) {
            best = open.get(k).worth > open.get(best).worth ? k : best;
        }
        return open.remove(best);
    }

    private static boolean[] buttons(int sum) {
        boolean[] pressed = new boolean[5];
        for (int button = 0; button < pressed.length; button++) {
            pressed[button] = (sum >> button & 1) != 0;
        }
        return pressed;
    }

    @Override
    public String getAgentName() {
        return "planner";
    }
}
