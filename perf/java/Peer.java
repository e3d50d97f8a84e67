import engine.core.MarioAgent;
import engine.core.MarioForwardModel;
import engine.core.MarioTimer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures an engine with the names of the Mario-AI-Framework: seconds of processor time for a tick, a clone, a
 * node of a search and a step of its own episode loop, on the levels of some text files.
 *
 * <p>Models of the games come from its {@code engine.core.MarioGame}, from its {@code engine.core.MarioWorld} if that
 * has no such loop, or from {@code ludus.World} in our archive.
 */
public final class Peer {
    private static final int CLOCK = 20;
    private static final int ROUNDS = 8;
    private static final int CLONES = 40;
    private static final boolean[] NOTHING = new boolean[5];
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    private Peer() {}

    private interface Play {
        boolean[] choose(MarioForwardModel model);
    }

    /** Keeps the first model that it is shown, and counts its steps. */
    private static final class Watcher implements MarioAgent {
        private final Play play;
        private MarioForwardModel first;
        private long steps;

        Watcher(Play play) {
            this.play = play;
        }

        @Override
        public void initialize(MarioForwardModel model, MarioTimer timer) {
            first = model.clone();
        }

        @Override
        public boolean[] getActions(MarioForwardModel model, MarioTimer timer) {
            steps++;
            return play.choose(model);
        }

        @Override
        public String getAgentName() {
            return "watcher";
        }
    }

    private static boolean[] runAndJump(MarioForwardModel model) {
        return new boolean[] {false, true, false, true, model.mayMarioJump() || !model.isMarioOnGround()};
    }

    /** The framework's own loop for an episode, or null in archives without it, such as ours. */
    private static Method findLoop() {
        try {
            Class<?> game = Class.forName("engine.core.MarioGame");
            return game.getMethod("runGame", MarioAgent.class, String.class, int.class, int.class, boolean.class);
        } catch (ClassNotFoundException | NoSuchMethodException none) {
            return null;
        }
    }

    private static void runEpisode(Method loop, Watcher watcher, String level) throws Exception {
        Object game = loop.getDeclaringClass().getDeclaredConstructor().newInstance();
        loop.invoke(game, watcher, level, CLOCK, 0, false);
    }

    private static MarioForwardModel begin(Method loop, String text) throws Exception {
        if (loop != null) {
            Watcher watcher = new Watcher(model -> NOTHING);
            runEpisode(loop, watcher, text);
            return watcher.first;
        }
        Object noEvents = Array.newInstance(Class.forName("engine.core.MarioEvent"), 0);
        try {
            Class<?> world = Class.forName("engine.core.MarioWorld");
            Object begun = world.getConstructor(noEvents.getClass()).newInstance(noEvents);
            world.getMethod("initializeLevel", String.class, int.class).invoke(begun, text, 1000 * CLOCK);
            MarioForwardModel model = MarioForwardModel.class.getConstructor(world).newInstance(begun);
            model.advance(NOTHING);
            return model;
        } catch (ClassNotFoundException ours) {
            return beginOurs(text, noEvents);
        }
    }

    private static MarioForwardModel beginOurs(String text, Object noEvents) throws Exception {
        Class<?> level = Class.forName("ludus.Level"), world = Class.forName("ludus.World");
        Method reader = level.getMethod("fromText", String.class, String.class, noEvents.getClass());
        Object read = reader.invoke(null, text, "framework", noEvents);
        Object begun = world.getConstructor(level, int.class, int.class).newInstance(read, 0, CLOCK);
        return (MarioForwardModel) world.getMethod("model").invoke(begun);
    }

    private static boolean runs(MarioForwardModel model) {
        return model.getGameStatus().toString().equals("RUNNING");
    }

    private static double measureTicks(List<MarioForwardModel> starts, Play play) {
        long ticks = 0, before = CPU.getCurrentThreadCpuTime();
        for (MarioForwardModel start : starts) {
            for (MarioForwardModel model = start.clone(); runs(model); ticks++) {
                model.advance(play.choose(model));
            }
        }
        return 1e-9 * (CPU.getCurrentThreadCpuTime() - before) / ticks;
    }

    private static double measureClones(List<MarioForwardModel> starts, int advances) {
        long before = CPU.getCurrentThreadCpuTime();
        boolean[] right = {false, true, false, true, false};
        for (MarioForwardModel start : starts) {
            for (int k = 0; k < CLONES; k++) {
                MarioForwardModel clone = start.clone();
                for (int tick = 0; tick < advances; tick++) {
                    clone.advance(right);
                }
            }
        }
        return 1e-9 * (CPU.getCurrentThreadCpuTime() - before) / (CLONES * starts.size());
    }

    private static double measureSteps(Method loop, List<String> texts, Play play) throws Exception {
        Watcher watcher = new Watcher(play);
        long before = CPU.getCurrentThreadCpuTime();
        for (String text : texts) {
            runEpisode(loop, watcher, text);
        }
        return 1e-9 * (CPU.getCurrentThreadCpuTime() - before) / watcher.steps;
    }

    public static void main(String[] files) throws Exception {
        System.setProperty("java.awt.headless", "true");
        List<String> texts = new ArrayList<>();
        List<MarioForwardModel> starts = new ArrayList<>();
        Method loop = findLoop();
        for (String file : files) {
            texts.add(Files.readString(Path.of(file)));
            starts.add(begin(loop, texts.get(texts.size() - 1)));
        }
        double[] best = {1e9, 1e9, 1e9, 1e9, 1e9};
        for (int round = 0; round < ROUNDS; round++) {
            best[0] = Math.min(best[0], measureTicks(starts, model -> NOTHING));
            best[1] = Math.min(best[1], measureTicks(starts, Peer::runAndJump));
            best[2] = Math.min(best[2], measureClones(starts, 0));
            best[3] = Math.min(best[3], measureClones(starts, 2));
            best[4] = loop == null ? 0 : Math.min(best[4], measureSteps(loop, texts, Peer::runAndJump));
        }
        String[] names = {"idle", "run_and_jump", "clone", "node", "step"};
        for (int k = 0; k < names.length; k++) {
            if (best[k] > 0) {
                System.out.printf(java.util.Locale.ROOT, "%s %.6e%n", names[k], best[k]);
            }
        }
    }
}
