package ch.idsia.ai.agents.ai;

import ch.idsia.ai.agents.Agent;
import ch.idsia.mario.environments.Environment;

/** An agent with a name and an array of buttons, which stay as they are until it changes them. */
public class BasicAIAgent implements Agent {
    /** The buttons that are pressed. */
    protected boolean[] action = new boolean[Environment.numberOfButtons];

    /** What tables call it. */
    protected String name;

    public BasicAIAgent(String name) {
        setName(name);
    }

    @Override
    public void reset() {
        action = new boolean[Environment.numberOfButtons];
    }

    @Override
    public boolean[] getAction(Environment observation) {
        return action;
    }

    @Override
    public AGENT_TYPE getType() {
        return AGENT_TYPE.AI;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public void setName(String name) {
        this.name = name;
    }
}
