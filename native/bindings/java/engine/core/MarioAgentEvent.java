package engine.core;

/** The buttons of a tick, and Mario after it. */
public class MarioAgentEvent extends MarioMoment {
    private final boolean[] actions;
    private final boolean marioOnGround;

    /**
     * Notes a tick.
     *
     * @param actions the buttons: the array itself, which changes if its owner changes it
     * @param marioX Mario's x in pixels
     * @param marioY the y of his feet
     * @param marioState 0 small, 1 large, 2 fire
     * @param marioOnGround whether he stands
     * @param time the tick
     */
    public MarioAgentEvent(
            boolean[] actions, float marioX, float marioY, int marioState, boolean marioOnGround, int time) {
        super(marioX, marioY, marioState, time);
        this.actions = actions;
        this.marioOnGround = marioOnGround;
    }

    public boolean[] getActions() {
        return actions;
    }

    public boolean getMarioOnGround() {
        return marioOnGround;
    }
}
