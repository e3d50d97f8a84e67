package engine.core;

/** How much of a decision's time is left. */
public class MarioTimer {
    private static final long NANOSECONDS = 1_000_000;

    private final long end;

    /**
     * Starts to count.
     *
     * @param milliseconds how long the decision may take
     */
    public MarioTimer(long milliseconds) {
        this.end = System.nanoTime() + NANOSECONDS * milliseconds;
    }

    /** Returns how many milliseconds are left; negative if the time is over. */
    public long getRemainingTime() {
        return (end - System.nanoTime()) / NANOSECONDS;
    }
}
