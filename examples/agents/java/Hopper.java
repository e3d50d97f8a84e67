import engine.core.MarioAgent;
import engine.core.MarioForwardModel;
import engine.core.MarioTimer;
import engine.helper.GameStatus;
import engine.helper.MarioActions;

/** Runs to the right, and jumps if it would be hurt or stuck soon otherwise. */
public class Hopper implements MarioAgent {
    private static final int TICKS_AHEAD = 12;

    @Override
    public void initialize(MarioForwardModel model, MarioTimer timer) {}

    @Override
    public boolean[] getActions(MarioForwardModel model, MarioTimer timer) {
        boolean[] run = press(MarioActions.RIGHT, MarioActions.SPEED);
        boolean[] jump = press(MarioActions.RIGHT, MarioActions.SPEED, MarioActions.JUMP);
        return reach(model, jump) > reach(model, run) ? jump : run;
    }

    @Override
    public String getAgentName() {
        return "hopper";
    }

    /** Returns how far Mario comes with these buttons; nowhere if he is lost. */
    private static float reach(MarioForwardModel model, boolean[] buttons) {
        MarioForwardModel ahead = model.clone();
        for (int tick = 0; tick < TICKS_AHEAD; tick++) {
            ahead.advance(buttons);
        }
        return ahead.getGameStatus() == GameStatus.LOSE ? 0 : ahead.getMarioFloatPos()[0];
    }

    private static boolean[] press(MarioActions... actions) {
        boolean[] buttons = new boolean[MarioActions.numberOfActions()];
        for (MarioActions action : actions) {
            buttons[action.getValue()] = true;
        }
        return buttons;
    }
}
