package ludus;

import engine.core.MarioForwardModel;
import engine.core.MarioResult;
import engine.helper.GameStatus;

/**
 * A game in progress, for learners in Java.
 *
 * <pre>
 * World world = new World(Level.fromText(text, "framework"), 0, 40);
 * while (world.status() == GameStatus.RUNNING) {
 *     world.step(new boolean[] {false, true, false, true, false});
 * }
 * float reached = world.result().getCompletionPercentage();
 * </pre>
 */
public final class World {
    private final Level level;
    private final GameLog log = new GameLog();
    private long[] image;

    /**
     * Begins a game.
     *
     * @param level the level
     * @param mode how Mario starts: 0 small, 1 large, 2 with fire
     * @param timeLimit seconds on the clock, 0 for no limit
     */
    public World(Level level, int mode, int timeLimit) {
        this.level = level;
        this.image = level.begin(mode, timeLimit);
    }

    /** Plays a tick with these buttons: LEFT, RIGHT, DOWN, SPEED, JUMP. */
    public GameStatus step(boolean[] buttons) {
        if (status() != GameStatus.RUNNING) {
            throw new IllegalStateException("this world is finished: begin a new one to play again");
        }
        image = level.step(image, Buttons.sum(buttons));
        log.add(level, image, buttons);
        return status();
    }

    /** Returns whether the game goes on, or how it ended. */
    public GameStatus status() {
        return GameStatus.values()[level.number(image, Level.STATUS)];
    }

    /** Returns a model of the game as it is now: what it sees, and what would come of which buttons. */
    public MarioForwardModel model() {
        long[] copy = image.clone();
        level.becomeModel(copy, false);
        return new MarioForwardModel(level, copy);
    }

    /** Returns the figures of the game so far. */
    public MarioResult result() {
        return new MarioResult(level, image.clone(), log.gameEvents(), log.agentEvents());
    }
}
