package ludus.judge;

/**
 * The units that an agent has left. Judged classes call this; nothing else that an agent may name leads here.
 *
 * <p>There is one, without locks: a judged agent has one thread.
 */
public final class Counter {
    /** Units that a method may gather before it reports them. */
    static final int LAP = 1000;

    private static final OverBudget OVER = new OverBudget();

    private static long budget = Long.MAX_VALUE;
    private static long left = Long.MAX_VALUE;
    private static Profile profile;

    private Counter() {}

    /** Begins a call that may use so many units. */
    static void begin(long units) {
        budget = units;
        left = units;
    }

    /** Returns the units of the call so far; a call that is over its budget has used more than that. */
    static long used() {
        return budget - left;
    }

    static void setProfile(Profile profile) {
        Counter.profile = profile;
    }

    /** Takes units away, and ends the call if there are none left. */
    public static void spend(int units) {
        if ((left -= units) < 0) {
            stop(units);
        }
    }

    /** Returns what a loop has gathered, or 0 once that was enough to report it. */
    public static int lap(int units) {
        if (units < LAP) {
            return units;
        }
        spend(units);
        return 0;
    }

    /** Takes units away where nothing may be thrown: a lock has to be given back first. */
    public static void note(int units) {
        left -= units;
    }

    /** Takes away what something of a size costs. */
    static void spendForSize(long size) {
        long units = Math.max(size, 0); // a collection of the agent's may say that its size is negative
        if (profile != null) {
            profile.addForSize(units);
        }
        if ((left -= units) < 0) {
            stop(units);
        }
    }

    /** Ends the call; what is taken away on the way out of it is given back. */
    private static void stop(long units) {
        if (left + units < 0) {
            left += units;
        }
        throw OVER;
    }

    /** Counts a block of a class that was loaded to be profiled. */
    public static void enter(int block) {
        spend(profile.enter(block));
    }
}
