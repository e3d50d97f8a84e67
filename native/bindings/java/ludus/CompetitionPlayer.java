package ludus;

import ch.idsia.ai.agents.Agent;

/** An agent of the competition of 2009: one object plays all levels, and is reset before each. */
final class CompetitionPlayer implements Player {
    private final Agent agent;

    CompetitionPlayer(Agent agent) {
        this.agent = agent;
    }

    @Override
    public char kind() {
        return 'C';
    }

    @Override
    public String name() {
        return agent.getName();
    }

    @Override
    public void begin(Level level, long[] image) {
        agent.reset();
    }

    @Override
    public boolean[] act(Level level, long[] image) {
        return agent.getAction(new Environment2009(level, image));
    }
}
