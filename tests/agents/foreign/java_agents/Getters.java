package tests;

import engine.core.MarioForwardModel;
import java.util.StringJoiner;
import java.util.zip.CRC32;

/** Every getter of a model in one line: the names are those of the recorded checks, grids are hashed as there. */
final class Getters {
    private static final int DETAILS = 3, UNKNOWN = 3;

    private Getters() {}

    static String describe(MarioForwardModel m) {
        StringJoiner line = new StringJoiner(" ");
        add(line, "status", m.getGameStatus().ordinal());
        add(line, "timer", m.getRemainingTime());
        add(line, "completion", bits(m.getCompletionPercentage()));
        addPair(line, "width", "height", m.getLevelFloatDimensions());
        addMario(line, m);
        addCounters(line, m);
        addEnemies(line, m.getEnemiesFloatPos());
        addGrids(line, m);
        return line.toString();
    }

    private static void addMario(StringJoiner line, MarioForwardModel m) {
        addPair(line, "x", "y", m.getMarioFloatPos());
        addPair(line, "xa", "ya", m.getMarioFloatVelocity());
        add(line, "mode", m.getMarioMode());
        add(line, "onG", m.isMarioOnGround() ? 1 : 0);
        add(line, "mayJ", m.mayMarioJump() ? 1 : 0);
        add(line, "canHigher", m.getMarioCanJumpHigher() ? 1 : 0);
        int[] tile = m.getMarioScreenTilePos();
        add(line, "scrx", tile[0]);
        add(line, "scry", tile[1]);
    }

    private static void addCounters(StringJoiner line, MarioForwardModel m) {
        add(line, "coins", m.getNumCollectedCoins());
        add(line, "lives", m.getNumLives());
        add(line, "kills", m.getKillsTotal());
        add(line, "fall", m.getKillsByFall());
        add(line, "fire", m.getKillsByFire());
        add(line, "shell", m.getKillsByShell());
        add(line, "stomp", m.getKillsByStomp());
        add(line, "mush", m.getNumCollectedMushrooms());
        add(line, "flow", m.getNumCollectedFireflower());
        add(line, "bricks", m.getNumDestroyedBricks());
    }

    private static void addEnemies(StringJoiner line, float[] enemies) {
        Fnv hash = new Fnv();
        for (float number : enemies) {
            hash.add(Float.floatToIntBits(number));
        }
        add(line, "nen", enemies.length / 3);
        add(line, "enH", hash.value);
    }

    private static void addGrids(StringJoiner line, MarioForwardModel m) {
        Fnv mario = new Fnv(), screen = new Fnv();
        for (int detail = 0; detail < DETAILS; detail++) {
            mario.add(m, m.getMarioSceneObservation(detail));
            screen.add(m, m.getScreenSceneObservation(detail));
        }
        for (int detail = 0; detail < DETAILS; detail++) {
            mario.add(m, m.getMarioEnemiesObservation(detail));
            screen.add(m, m.getScreenEnemiesObservation(detail));
        }
        for (int scene = 0; scene < DETAILS; scene++) {
            for (int enemies = 0; enemies < DETAILS; enemies++) {
                mario.add(m, m.getMarioCompleteObservation(scene, enemies));
                screen.add(m, m.getScreenCompleteObservation(scene, enemies));
            }
        }
        add(line, "obsM", mario.value);
        add(line, "obsS", screen.value);
        add(line, "defaults", check(
                m.getMarioSceneObservation(), m.getMarioEnemiesObservation(), m.getMarioCompleteObservation(),
                m.getScreenSceneObservation(), m.getScreenEnemiesObservation(), m.getScreenCompleteObservation()));
        add(line, "unknownM", check(
                m.getMarioSceneObservation(UNKNOWN), m.getMarioEnemiesObservation(UNKNOWN),
                m.getMarioCompleteObservation(UNKNOWN, 0), m.getMarioCompleteObservation(UNKNOWN, 1),
                m.getMarioCompleteObservation(UNKNOWN, 2), m.getMarioCompleteObservation(UNKNOWN, UNKNOWN)));
        add(line, "unknownS", check(
                m.getScreenSceneObservation(UNKNOWN), m.getScreenEnemiesObservation(UNKNOWN),
                m.getScreenCompleteObservation(UNKNOWN, 0), m.getScreenCompleteObservation(UNKNOWN, 1),
                m.getScreenCompleteObservation(UNKNOWN, 2), m.getScreenCompleteObservation(UNKNOWN, UNKNOWN)));
    }

    private static void add(StringJoiner line, String name, long value) {
        line.add(name + "=" + value);
    }

    private static void add(StringJoiner line, String name, int value) {
        line.add(name + "=" + value);
    }

    private static void addPair(StringJoiner line, String first, String second, float[] values) {
        add(line, first, bits(values[0]));
        add(line, second, bits(values[1]));
    }

    private static long bits(float value) {
        return Integer.toUnsignedLong(Float.floatToIntBits(value));
    }

    private static long check(int[][]... grids) {
        CRC32 sum = new CRC32();
        for (int[][] grid : grids) {
            for (int[] column : grid) {
                for (int cell : column) {
                    sum.update(cell);
                }
            }
        }
        return sum.getValue();
    }

    /** The hash of the recorded traces, over integers of four bytes. */
    private static final class Fnv {
        private long value = 0x811C9DC5L;

        void add(int number) {
            for (int shift = 0; shift < 32; shift += 8) {
                value = (value ^ number >> shift & 0xFF) * 0x01000193L & 0xFFFFFFFFL;
            }
        }

        void add(MarioForwardModel model, int[][] grid) {
            for (int column = 0; column < model.obsGridWidth; column++) {
                for (int row = 0; row < model.obsGridHeight; row++) {
                    add(grid[column][row]);
                }
            }
        }
    }
}
