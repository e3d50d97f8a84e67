package ludus;

import engine.core.MarioAgent;
import engine.core.MarioForwardModel;
import engine.core.MarioTimer;

/**
 * An agent of the Mario-AI-Framework.
 *
 * <p>Each game has a new agent of newly loaded classes, so that no game depends on the one before.
 */
final class FrameworkPlayer implements Player {
    private final AgentClass agentClass;
    private MarioAgent agent;
    private boolean used;

    FrameworkPlayer(AgentClass agentClass, MarioAgent agent) {
        this.agentClass = agentClass;
        this.agent = agent;
    }

    @Override
    public char kind() {
        return 'F';
    }

    @Override
    public String name() {
        return agent.getAgentName();
    }

    @Override
    public void begin(Level level, long[] image) throws ReflectiveOperationException {
        if (used) {
            agent = (MarioAgent) agentClass.load();
        }
        used = true;
        agent.initialize(model(level, image), new MarioTimer(level.milliseconds()));
    }

    @Override
    public boolean[] act(Level level, long[] image) {
        return agent.getActions(model(level, image), new MarioTimer(level.milliseconds()));
    }

    private static MarioForwardModel model(Level level, long[] image) {
        level.becomeModel(image, false);
        return new MarioForwardModel(level, image);
    }
}
