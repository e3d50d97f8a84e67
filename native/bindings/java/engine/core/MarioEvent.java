package engine.core;

import engine.helper.EventType;

/** Something that happened in a tick, with Mario as he was in that instant. */
public class MarioEvent {
    private final EventType type;
    private final int param;
    private final float marioX;
    private final float marioY;
    private final int marioState;
    private final int time;

    /**
     * Notes an event.
     *
     * @param type what happened
     * @param param to whom or to what: the kind of a sprite, a block's code in observations, or 0
     * @param marioX Mario's x in pixels
     * @param marioY the y of his feet
     * @param marioState 0 small, 1 large, 2 fire
     * @param time the tick
     */
    public MarioEvent(EventType type, int param, float marioX, float marioY, int marioState, int time) {
        this.type = type;
        this.param = param;
        this.marioX = marioX;
        this.marioY = marioY;
        this.marioState = marioState;
        this.time = time;
    }

    public EventType getEventType() {
        return type;
    }

    public int getEventParam() {
        return param;
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
