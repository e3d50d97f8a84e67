package engine.core;

import ludus.judge.Judge;

/** How much of a decision's time is left. Where work is counted, it is the work that makes time pass. */
public class MarioTimer {
    private static final long NANOSECONDS = 1_000_000;

    private final long milliseconds;
    private final long end;

    /**
     * Starts to count.
     *
     * @param milliseconds how long the decision may take
     */
    public MarioTimer(long milliseconds) {
        this.milliseconds = milliseconds;
        this.end = System.nanoTime() + NANOSECONDS * milliseconds;
    }

    /** Returns how many milliseconds are left; negative if the time is over. */
    public long getRemainingTime() {
        double left = Judge.clockLeft();
        return left < 0 ? (end - System.nanoTime()) / NANOSECONDS : (long) (milliseconds * left);
    }
}
