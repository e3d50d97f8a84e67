package ludus;

import java.io.FileDescriptor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Plays one agent for the program that this machine was loaded into; machine.c calls these methods. */
final class HostedRunner {
    private static final int FAILED = -1;

    private final Runner runner;
    private byte[] fault;

    private HostedRunner(Runner runner) {
        this.runner = runner;
    }

    /** Limits what agents print, of all that are played here. */
    static void limitPrints() {
        System.setOut(Prints.open(FileDescriptor.out));
        System.setErr(Prints.open(FileDescriptor.err));
    }

    /** Returns who plays the agent of a jar or folder and a class, which is loaded when that is asked for. */
    static HostedRunner open(byte[] place, byte[] name) throws Exception {
        return new HostedRunner(new Runner(new AgentClass(text(place), text(name))));
    }

    /** Answers what is asked before decisions; null if that failed. */
    byte[] ask(int kind, byte[] content) {
        try {
            return runner.answer(kind, ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN));
        } catch (Throwable error) { // whatever an agent throws is an answer
            fault = Runner.describe(error);
            return null;
        }
    }

    /** Returns the sum of the buttons that the agent presses in a world of this process; negative if it failed. */
    int act(long world, boolean begins) {
        try {
            if (begins) {
                Prints.beginEpisode();
            }
            int buttons = runner.act(runner.level().look(world), begins);
            Prints.check();
            return buttons;
        } catch (Throwable error) {
            fault = Runner.describe(error);
            return FAILED;
        }
    }

    /** Returns why the last call failed. */
    byte[] fault() {
        return fault;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
