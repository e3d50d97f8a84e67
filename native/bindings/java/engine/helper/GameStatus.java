package engine.helper;

/** Whether a game goes on, or how it ended; in the order of the engine's numbers. */
public enum GameStatus {
    RUNNING,
    WIN,
    LOSE,
    TIME_OUT
}
