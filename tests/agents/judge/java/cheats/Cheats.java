package cheats;

import engine.core.MarioAgent;
import engine.core.MarioForwardModel;
import engine.core.MarioTimer;

/** Agents that try to use more than they are given. */
public final class Cheats {
    private Cheats() {}

    /** Presses RIGHT and SPEED. */
    abstract static class Base implements MarioAgent {
        int decisions;

        @Override
        public void initialize(MarioForwardModel model, MarioTimer timer) {}

        @Override
        public boolean[] getActions(MarioForwardModel model, MarioTimer timer) {
            decisions++;
            if (decisions == 3) {
                try {
                    cheat(timer);
                } catch (Exception error) {
                    throw new IllegalStateException(error);
                }
            }
            return new boolean[] {false, true, false, true, false};
        }

        void cheat(MarioTimer timer) throws Exception {}

        @Override
        public String getAgentName() {
            return "cheat";
        }
    }

    /** Honest, to compare with. */
    public static final class Plain extends Base {}

    /** Catches everything, everywhere. */
    public static final class Catches extends Base {
        @Override
        void cheat(MarioTimer timer) {
            while (true) {
                try {
                    while (true) {
                        decisions = 3;
                    }
                } catch (Throwable error) {
                    continue;
                } finally {
                    decisions = 3;
                }
            }
        }
    }

    /** Plans until its timer says that the time is over. */
    public static final class Patient extends Base {
        @Override
        public boolean[] getActions(MarioForwardModel model, MarioTimer timer) {
            MarioForwardModel ahead = model.clone();
            while (timer.getRemainingTime() > 0) {
                ahead.advance(new boolean[5]);
            }
            return super.getActions(model, timer);
        }
    }

    public static final class Threads extends Base {
        @Override
        void cheat(MarioTimer timer) {
            new Thread(() -> decisions++).start();
        }
    }

    public static final class Pools extends Base {
        @Override
        void cheat(MarioTimer timer) throws Exception {
            java.util.concurrent.Executors.newFixedThreadPool(2).submit(() -> decisions++).get();
        }
    }

    public static final class Parallel extends Base {
        @Override
        void cheat(MarioTimer timer) {
            decisions += java.util.stream.IntStream.range(0, 99).parallel().sum();
        }
    }

    public static final class Resets extends Base {
        @Override
        void cheat(MarioTimer timer) {
            ludus.judge.Judge.begin(Long.MAX_VALUE, 0);
        }
    }

    public static final class Reflects extends Base {
        @Override
        void cheat(MarioTimer timer) throws Exception {
            Class.forName("ludus.judge." + "Judge").getMethods()[0].invoke(null);
        }
    }

    public static final class Handles extends Base {
        @Override
        void cheat(MarioTimer timer) throws Exception {
            java.lang.invoke.MethodHandles.lookup().findClass("ludus.judge.Judge");
        }
    }

    public static final class Loads extends Base {
        @Override
        void cheat(MarioTimer timer) {
            new ClassLoader() { Class<?> take(byte[] code) { return defineClass(null, code, 0, code.length); } }
                    .take(new byte[9]);
        }
    }

    public static final class Shrinks extends java.util.ArrayList<String> {
        private static final long serialVersionUID = 1;

        @Override
        public int size() {
            return -1_000_000;
        }
    }

    public static final class Finalizes extends Base {
        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {
            decisions++;
        }
    }

    public static final class Exits extends Base {
        @Override
        void cheat(MarioTimer timer) {
            System.exit(3);
        }
    }

    public static final class Works extends Base {
        static long sum;

        static {
            for (long k = 0; k < 1L << 40; k++) {
                sum += k;
            }
        }
    }
}
