package ludus;

import engine.core.MarioEvent;
import java.lang.ref.Cleaner;
import java.nio.charset.StandardCharsets;

/**
 * A level in the engine. Worlds on it are images: arrays of Java's, which are freed as all arrays are.
 *
 * <p>Every method that takes an image belongs to the level of that image, so that the level lives as long.
 */
public final class Level {
    static {
        Library.load();
    }

    /** What {@link #number} is asked for. */
    public static final int STATUS = 0, TIMER = 1, TICK = 2, MODE = 3, ON_GROUND = 4, MAY_JUMP = 5, JUMP_TIME = 6,
            CARRYING = 7, COINS = 8, LIVES = 9, KILLS_BY_FALL = 10, KILLS_BY_FIRE = 11, KILLS_BY_SHELL = 12,
            KILLS_BY_STOMP = 13, MUSHROOMS = 14, FLOWERS = 15, BROKEN_BRICKS = 16, SCREEN_COLUMN = 17,
            SCREEN_ROW = 18, LEVEL_WIDTH = 19, LEVEL_HEIGHT = 20;

    /** The grids of {@link #observe}. */
    public static final int SCENE = 0, ENEMIES = 1, MERGED = 2;

    private static final Cleaner CLEANER = Cleaner.create();

    private final long handle;
    private boolean playsAhead = true;
    private int milliseconds = 40;

    private Level(long handle) {
        this.handle = handle;
        CLEANER.register(this, () -> close(handle));
    }

    /**
     * Reads a level.
     *
     * @param text rows of characters
     * @param rules "framework" or "ludus"
     * @param killEvents what ends a game as lost: events of that type, and of that parameter unless it is 0
     */
    public static Level fromText(String text, String rules, MarioEvent... killEvents) {
        int[] numbers = new int[2 * killEvents.length];
        for (int k = 0; k < killEvents.length; k++) {
            numbers[2 * k] = killEvents[k].getEventType().getValue();
            numbers[2 * k + 1] = killEvents[k].getEventParam();
        }
        return fromText(text.getBytes(StandardCharsets.ISO_8859_1), rules, null, numbers);
    }

    static Level fromText(byte[] text, String rules, float[] physics, int[] killEvents) {
        return new Level(openText(text, name(rules), physics, killEvents));
    }

    static Level fromMap(String rules, int[] numbers, byte[] map, int[] creatures, int[] data) {
        return new Level(openMap(name(rules), numbers, map, creatures, data));
    }

    /** Says what a benchmark allows who plays here, and returns this. */
    Level allow(boolean playsAhead, int milliseconds) {
        this.playsAhead = playsAhead;
        this.milliseconds = milliseconds;
        return this;
    }

    /** Returns how many milliseconds a decision may take. */
    int milliseconds() {
        return milliseconds;
    }

    private static byte[] name(String rules) {
        return rules.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the image of a world at its start, after the tick that warms it up. */
    public long[] begin(int mode, int timeLimit) {
        return begin(handle, mode, timeLimit);
    }

    /** Returns the image of a world in a state that another process has saved. */
    long[] restore(byte[] saved, int offset) {
        return restore(handle, saved, offset);
    }

    /** Returns the image of a world of this process, which is on an equal level. */
    long[] look(long world) {
        return look(handle, world);
    }

    /** Refuses to go on where a benchmark allows nobody to play ahead. */
    public void checkPlaysAhead() {
        if (!playsAhead) {
            throw new IllegalStateException("this benchmark allows no forward model: neither clone() nor advance()");
        }
    }

    /** Plays a tick and returns the image after it: the same array, or a longer one if that became too short. */
    public long[] step(long[] image, int buttons) {
        return play(image, buttons) < 0 ? takePlayed() : image;
    }

    /** Returns a number of a world, or 1 for what is true. */
    public native int number(long[] image, int number);

    /** Fills x, y, speed to the right, speed down, and the share of the level that is behind Mario. */
    public native void motion(long[] image, float[] motion);

    /** Returns kind, x and y of every enemy. */
    public native float[] enemies(long[] image);

    /** Returns six numbers for each event of the last tick: kind, parameter, bits of x and y, mode and tick. */
    public native int[] events(long[] image);

    /** Fills size times size cells, column by column. */
    public native void observe(
            long[] image, int grid, int sceneDetail, int enemyDetail, boolean onScreen, int size, byte[] cells);

    /** Returns the packed bitmap of the rules of 2009. */
    public native byte[] bitmap(long[] image);

    /** Makes a copy of a world a model to look ahead with; one of a model keeps the counters. */
    public native void becomeModel(long[] image, boolean keepsCounters);

    private native int play(long[] image, int buttons);

    private native long[] takePlayed();

    private static native long openText(byte[] text, byte[] rules, float[] physics, int[] killEvents);

    private static native long openMap(byte[] rules, int[] numbers, byte[] map, int[] creatures, int[] data);

    private static native void close(long handle);

    private static native long[] begin(long handle, int mode, int timeLimit);

    private static native long[] look(long handle, long world);

    private static native long[] restore(long handle, byte[] saved, int offset);
}
