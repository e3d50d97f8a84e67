package ludus;

import ch.idsia.ai.agents.Agent;
import engine.core.MarioAgent;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Plays one agent, whoever asks: a process at the other end of a pipe, or the one that this machine is in. */
final class Runner {
    private static final int LOAD = 1, LEVEL = 2;
    private static final int MOST_CAUSES = 8;
    private static final byte[] NOTHING = {};

    private final AgentClass agentClass;
    private final Counting counting;
    private Player player;
    private Level level;

    Runner(AgentClass agentClass) {
        this.agentClass = agentClass;
        this.counting = new Counting(agentClass);
    }

    /** Answers what is asked before decisions. */
    byte[] answer(int kind, ByteBuffer request) throws Exception {
        switch (kind) {
            case LOAD:
                return load();
            case LEVEL:
                level = LevelReader.read(request);
                return NOTHING;
            default:
                return counting.answer(kind, request);
        }
    }

    /** Returns the level that is played. */
    Level level() {
        return level;
    }

    /**
     * Returns the sum of the buttons that the agent presses.
     *
     * @param image the world, which is the agent's from now on
     * @param begins whether this is the first decision of an episode
     */
    int act(long[] image, boolean begins) throws ReflectiveOperationException {
        if (begins) {
            player.begin(level, image.clone());
        }
        return Buttons.sum(player.act(level, image));
    }

    private byte[] load() throws Exception {
        Object agent = agentClass.load();
        if (agent instanceof MarioAgent) {
            player = new FrameworkPlayer(agentClass, (MarioAgent) agent);
        } else if (agent instanceof Agent) {
            player = new CompetitionPlayer((Agent) agent);
        } else {
            throw new ClassCastException(agent.getClass().getName()
                    + " implements neither engine.core.MarioAgent nor ch.idsia.ai.agents.Agent");
        }
        String name = player.name();
        return (player.kind() + (name == null ? "" : name)).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns an error and what caused it in one line. */
    static byte[] describe(Throwable error) {
        Throwable cause = error;
        for (int depth = 0; depth < MOST_CAUSES; depth++) {
            boolean wraps = cause instanceof InvocationTargetException || cause instanceof ExceptionInInitializerError;
            if (!wraps || cause.getCause() == null) {
                break;
            }
            cause = cause.getCause();
        }
        String text;
        try {
            text = cause.toString();
        } catch (Throwable another) { // it is the agent's own
            text = cause.getClass().getName();
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
