package ludus;

/** Buttons as agents press them, and as the engine counts them. */
public final class Buttons {
    /** How many buttons there are. */
    public static final int COUNT = 5;

    private Buttons() {}

    /** Returns the sum of the bits of the first buttons that are pressed, the first being 1. */
    public static int sum(boolean[] pressed) {
        if (pressed == null || pressed.length < COUNT) {
            String given = pressed == null ? "null" : "one of " + pressed.length;
            throw new IllegalArgumentException("an action is an array of " + COUNT + " buttons, not " + given);
        }
        int sum = 0;
        for (int button = 0; button < COUNT; button++) {
            if (pressed[button]) {
                sum |= 1 << button;
            }
        }
        return sum;
    }
}
