package ch.idsia.ai.agents;

import ch.idsia.mario.environments.Environment;

/** An agent of the competition of 2009: shown the game after every tick, it answers for the next one. */
public interface Agent {
    /** Who presses the buttons. */
    enum AGENT_TYPE {
        AI,
        HUMAN,
        TCP_SERVER
    }

    /** Prepares for a level. */
    void reset();

    /** Returns which buttons to hold: LEFT, RIGHT, DOWN, JUMP, SPEED. */
    boolean[] getAction(Environment observation);

    AGENT_TYPE getType();

    String getName();

    void setName(String name);
}
