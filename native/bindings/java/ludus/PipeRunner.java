package ludus;

import java.nio.ByteBuffer;

/**
 * Plays one agent for the process that starts this one.
 *
 * <p>Arguments: the two descriptors of the pipe, the jar or folder of the agent, and the name of its class.
 */
public final class PipeRunner {
    private static final int ACT = 3;
    private static final int VALUE = 1, FAILED = 2;
    private static final int BEGINS = 1;

    private final Pipe pipe;
    private final Runner runner;

    private PipeRunner(Pipe pipe, Runner runner) {
        this.pipe = pipe;
        this.runner = runner;
    }

    /** Answers until the other process is gone. */
    public static void main(String[] arguments) throws Exception {
        Pipe pipe = new Pipe(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        new PipeRunner(pipe, new Runner(new AgentClass(arguments[2], arguments[3]))).run();
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
            int kind = request.get();
            content = kind == ACT ? act(request) : runner.answer(kind, request);
        } catch (Throwable error) { // whatever an agent throws is an answer
            return pipe.answer(FAILED, Runner.describe(error));
        }
        return pipe.answer(VALUE, content);
    }

    private byte[] act(ByteBuffer request) throws Exception {
        boolean begins = (request.get() & BEGINS) != 0;
        long[] image = runner.level().restore(request.array(), request.position());
        return new byte[] {(byte) runner.act(image, begins)};
    }
}
