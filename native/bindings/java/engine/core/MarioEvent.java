package engine.core;

import engine.helper.EventType;

/** Something that happened in a tick, with Mario as he was in that instant. */
public class MarioEvent extends MarioMoment {
    private final EventType type;
    private final int param;

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
        super(marioX, marioY, marioState, time);
        this.type = type;
        this.param = param;
    }

    /** Names an event, whoever Mario was. */
    public MarioEvent(EventType type, int param) {
        this(type, param, 0, 0, 0, 0);
    }

    /** Names an event of any parameter. */
    public MarioEvent(EventType type) {
        this(type, 0);
    }

    public EventType getEventType() {
        return type;
    }

    public int getEventParam() {
        return param;
    }
}
