package ludus;

import engine.core.MarioAgentEvent;
import engine.core.MarioEvent;
import engine.helper.EventType;
import java.util.ArrayList;

/** What happened in a game, and what was pressed, tick by tick. */
final class GameLog {
    private static final int KIND = 0, PARAM = 1, X = 2, Y = 3, MODE = 4, TICK = 5, EVENT = 6;

    private final ArrayList<MarioEvent> gameEvents = new ArrayList<>();
    private final ArrayList<MarioAgentEvent> agentEvents = new ArrayList<>();

    /** Adds a tick, after it was played. */
    void add(Level level, long[] image, boolean[] buttons) {
        int[] events = level.events(image);
        for (int at = 0; at < events.length; at += EVENT) {
            gameEvents.add(new MarioEvent(
                    EventType.values()[events[at + KIND] - 1],
                    events[at + PARAM],
                    Float.intBitsToFloat(events[at + X]),
                    Float.intBitsToFloat(events[at + Y]),
                    events[at + MODE],
                    events[at + TICK]));
        }
        float[] motion = new float[5];
        level.motion(image, motion);
        agentEvents.add(new MarioAgentEvent(
                buttons,
                motion[0],
                motion[1],
                level.number(image, Level.MODE),
                level.number(image, Level.ON_GROUND) != 0,
                level.number(image, Level.TICK)));
    }

    /** Returns a copy of what happened. */
    ArrayList<MarioEvent> gameEvents() {
        return new ArrayList<>(gameEvents);
    }

    /** Returns a copy of what was pressed. */
    ArrayList<MarioAgentEvent> agentEvents() {
        return new ArrayList<>(agentEvents);
    }
}
