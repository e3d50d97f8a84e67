package engine.core;

/** Mario in a tick. */
abstract class MarioMoment {
    private final float marioX;
    private final float marioY;
    private final int marioState;
    private final int time;

    MarioMoment(float marioX, float marioY, int marioState, int time) {
        this.marioX = marioX;
        this.marioY = marioY;
        this.marioState = marioState;
        this.time = time;
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

    public int getTime() {
        return time;
    }
}
