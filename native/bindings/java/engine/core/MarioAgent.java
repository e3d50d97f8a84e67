package engine.core;

/** An agent of the framework: shown a model of the game at every tick, it answers with five buttons. */
public interface MarioAgent {
    /**
     * Prepares for a game.
     *
     * @param model the game after its first tick
     * @param timer what is left of the time for this
     */
    void initialize(MarioForwardModel model, MarioTimer timer);

    /**
     * Returns which buttons to hold for the next tick, in the order of {@link engine.helper.MarioActions}.
     *
     * @param model the game as it is now, which may be cloned and played ahead
     * @param timer what is left of the time for this
     */
    boolean[] getActions(MarioForwardModel model, MarioTimer timer);

    /** Returns what tables call it. */
    String getAgentName();
}
