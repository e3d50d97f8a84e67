package ludus;

import ch.idsia.ai.agents.Agent;
import engine.core.MarioAgent;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Plays one agent for the process that starts this one.
 *
 * <p>Arguments: the two descriptors of the pipe, the jar or folder of the agent, and the name of its class.
 */
public final class Runner {
    private static final int LOAD = 1, LEVEL = 2, ACT = 3;
    private static final int VALUE = 1, FAILED = 2;
    private static final int BEGINS = 1;
    private static final int MOST_CAUSES = 8;
    private static final byte[] NOTHING = {};

    private final Pipe pipe;
    private final AgentClass agentClass;
    private final Counting counting;
    private Player player;
    private Level level;

    private Runner(Pipe pipe, AgentClass agentClass) {
        this.pipe = pipe;
        this.agentClass = agentClass;
        this.counting = new Counting(agentClass);
    }

    /** Answers until the other process is gone. */
    public static void main(String[] arguments) throws Exception {
        Pipe pipe = new Pipe(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        new Runner(pipe, new AgentClass(arguments[2], arguments[3])).run();
        Runtime.getRuntime().halt(0); // threads of the agent's may go on, hooks may wait
    }

    private void run() {
        boolean connected = true;
        while (connected) {
            ByteBuffer request = pipe.receive();
            connected = request != null && answer(request);
        }
    }

    private boolean answer(ByteBuffer request) {
        byte[] content;
        try {
            content = answer(request.get(), request);
        } catch (Throwable error) { // whatever an agent throws is an answer
            return pipe.answer(FAILED, describe(error).getBytes(StandardCharsets.UTF_8));
        }
        return pipe.answer(VALUE, content);
    }

    private byte[] answer(int kind, ByteBuffer request) throws Exception {
        switch (kind) {
            case LOAD:
                return load();
            case LEVEL:
                level = LevelReader.read(request);
                return NOTHING;
            case ACT:
                return act(request);
            default:
                return counting.answer(kind, request);
        }
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

    private byte[] act(ByteBuffer request) throws Exception {
        int flags = request.get();
        long[] image = level.restore(request.array(), request.position());
        if ((flags & BEGINS) != 0) {
            player.begin(level, image);
        }
        boolean[] pressed = player.act(level, image);
        return new byte[] {(byte) Buttons.sum(pressed)};
    }

    /** Returns an error and what caused it in one line. */
    private static String describe(Throwable error) {
        Throwable cause = error;
        for (int depth = 0; depth < MOST_CAUSES; depth++) {
            boolean wraps = cause instanceof InvocationTargetException || cause instanceof ExceptionInInitializerError;
            if (!wraps || cause.getCause() == null) {
                break;
            }
            cause = cause.getCause();
        }
        try {
            return cause.toString();
        } catch (Throwable another) { // it is the agent's own
            return cause.getClass().getName();
        }
    }
}
