package engine.core;

/** The buttons of a tick, and Mario after it. */
public class MarioAgentEvent {
    private final boolean[] actions;
    private final float marioX;
    private final float marioY;
    private final int marioState;
    private final boolean marioOnGround;
    private final int time;

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
        this.actions = actions;
        this.marioX = marioX;
        this.marioY = marioY;
        this.marioState = marioState;
        this.marioOnGround = marioOnGround;
        this.time = time;
    }

    public boolean[] getActions() {
        return actions;
    }

    public float getMarioX() {
        return marioX;
    }

    public float getMarioY() {
        return marioY;
    }

    public int getMarioState() {
        return marioState;
    }

    public boolean getMarioOnGround() {
        return marioOnGround;
    }

    public int getTime() {
        return time;
    }
}
