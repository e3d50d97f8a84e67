package engine.core;

import engine.helper.EventType;
import engine.helper.GameStatus;
import java.util.ArrayList;
import ludus.Level;

/**
 * What became of a game: its last state, and figures of its log.
 *
 * <p>As in the framework, a tick in which nothing moves logs the events of the tick before once more.
 */
public class MarioResult {
    private static final int QUESTION_BLOCK = MarioForwardModel.OBS_QUESTION_BLOCK;
    private static final int BRICK = MarioForwardModel.OBS_BRICK;
    private static final float NO_JUMP = -100;

    private final MarioForwardModel last;
    private final ArrayList<MarioEvent> gameEvents;
    private final ArrayList<MarioAgentEvent> agentEvents;

    /**
     * Takes a game's end and its log.
     *
     * @param level the level
     * @param image the world at the end, which is this result's from now on
     * @param gameEvents what happened
     * @param agentEvents what was pressed
     */
    public MarioResult(
            Level level, long[] image, ArrayList<MarioEvent> gameEvents, ArrayList<MarioAgentEvent> agentEvents) {
        this.last = new MarioForwardModel(level, image);
        this.gameEvents = gameEvents;
        this.agentEvents = agentEvents;
    }

    public GameStatus getGameStatus() {
        return last.getGameStatus();
    }

    /** Returns Mario's x over that of the exit. */
    public float getCompletionPercentage() {
        return last.getCompletionPercentage();
    }

    /** Returns what is left on the clock, 1000 a second. */
    public int getRemainingTime() {
        return last.getRemainingTime();
    }

    /** Returns 0 for small, 1 for large, 2 for fire. */
    public int getMarioMode() {
        return last.getMarioMode();
    }

    /** Returns the lives that were won. */
    public int getCurrentLives() {
        return last.getNumLives();
    }

    public int getCurrentCoins() {
        return last.getNumCollectedCoins();
    }

    public ArrayList<MarioEvent> getGameEvents() {
        return gameEvents;
    }

    /** Returns the buttons of every tick, with Mario after it. */
    public ArrayList<MarioAgentEvent> getAgentEvents() {
        return agentEvents;
    }

    // ---- kills

    public int getKillsTotal() {
        return getKillsByFire() + getKillsByStomp() + getKillsByShell() + getKillsByFall();
    }

    public int getKillsByFire() {
        return count(EventType.FIRE_KILL);
    }

    public int getKillsByStomp() {
        return count(EventType.STOMP_KILL);
    }

    public int getKillsByShell() {
        return count(EventType.SHELL_KILL);
    }

    public int getKillsByFall() {
        return count(EventType.FALL_KILL);
    }

    /** Returns how many enemies of a kind were killed by fire, stomp or shell. */
    public int getMarioNumKills(int enemyType) {
        return count(EventType.FIRE_KILL, enemyType)
                + count(EventType.STOMP_KILL, enemyType)
                + count(EventType.SHELL_KILL, enemyType);
    }

    /** Returns in how many ticks enemies touched Mario, whether or not that harmed him. */
    public int getMarioNumHurts() {
        return count(EventType.HURT);
    }

    // ---- blocks and items

    public int getNumBumpQuestionBlock() {
        return count(EventType.BUMP, QUESTION_BLOCK);
    }

    public int getNumBumpBrick() {
        return count(EventType.BUMP, BRICK);
    }

    /** Returns how many bricks broke while Mario was not small. */
    public int getNumDestroyedBricks() {
        int bricks = 0;
        for (MarioEvent event : gameEvents) {
            boolean broke = event.getEventType() == EventType.BUMP && event.getEventParam() == BRICK;
            bricks += broke && event.getMarioState() > 0 ? 1 : 0;
        }
        return bricks;
    }

    public int getNumCollectedMushrooms() {
        return count(EventType.COLLECT, MarioForwardModel.OBS_MUSHROOM);
    }

    public int getNumCollectedFireflower() {
        return count(EventType.COLLECT, MarioForwardModel.OBS_FIRE_FLOWER);
    }

    /** Returns 0, as in the framework: it counts a code that its coins do not have. */
    public int getNumCollectedTileCoins() {
        return count(EventType.COLLECT, MarioForwardModel.OBS_COIN);
    }

    // ---- jumps

    public int getNumJumps() {
        return count(EventType.JUMP);
    }

    /** Returns the most pixels from a jump's start to where it ended. */
    public float getMaxXJump() {
        float most = 0;
        float start = NO_JUMP;
        for (MarioEvent event : gameEvents) {
            if (event.getEventType() == EventType.JUMP) {
                start = event.getMarioX();
            } else if (event.getEventType() == EventType.LAND) {
                most = Math.max(most, Math.abs(event.getMarioX() - start));
            }
        }
        return most;
    }

    /** Returns the most ticks from a jump's start to its end. */
    public int getMaxJumpAirTime() {
        int most = 0;
        int start = (int) NO_JUMP;
        for (MarioEvent event : gameEvents) {
            if (event.getEventType() == EventType.JUMP) {
                start = event.getTime();
            } else if (event.getEventType() == EventType.LAND) {
                most = Math.max(most, event.getTime() - start);
            }
        }
        return most;
    }

    private int count(EventType type) {
        int count = 0;
        for (MarioEvent event : gameEvents) {
            count += event.getEventType() == type ? 1 : 0;
        }
        return count;
    }

    private int count(EventType type, int param) {
        int count = 0;
        for (MarioEvent event : gameEvents) {
            count += event.getEventType() == type && event.getEventParam() == param ? 1 : 0;
        }
        return count;
    }
}
