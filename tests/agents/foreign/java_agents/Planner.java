package tests;

import engine.core.MarioAgent;
import engine.core.MarioForwardModel;
import engine.core.MarioTimer;

/** Plays ahead until its time is over, and jumps if that was not more than 29 milliseconds. */
public class Planner implements MarioAgent {
    private static final long SHORT = 29;

    @Override
    public void initialize(MarioForwardModel model, MarioTimer timer) {}

    @Override
    public boolean[] getActions(MarioForwardModel model, MarioTimer timer) {
        boolean hurries = timer.getRemainingTime() <= SHORT;
        MarioForwardModel ahead = model.clone();
        while (timer.getRemainingTime() > 0) {
            ahead.advance(new boolean[5]);
        }
        return new boolean[] {false, true, false, false, hurries};
    }

    @Override
    public String getAgentName() {
        return "planner";
    }
}
