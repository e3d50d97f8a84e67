package tests;

import engine.core.MarioAgent;
import engine.core.MarioForwardModel;
import engine.core.MarioTimer;

/** Runs to the right and jumps whenever it may. */
public class RunRight implements MarioAgent {
    @Override
    public void initialize(MarioForwardModel model, MarioTimer timer) {}

    @Override
    public boolean[] getActions(MarioForwardModel model, MarioTimer timer) {
        boolean jump = model.mayMarioJump() || !model.isMarioOnGround();
        return new boolean[] {false, true, false, true, jump};
    }

    @Override
    public String getAgentName() {
        return "run right";
    }
}
