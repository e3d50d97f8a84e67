package engine.helper;

/** The buttons, in their order in the array of an action. */
public enum MarioActions {
    LEFT(0, "Left"),
    RIGHT(1, "Right"),
    DOWN(2, "Down"),
    SPEED(3, "Speed"),
    JUMP(4, "Jump");

    private final int value;
    private final String string;

    MarioActions(int value, String string) {
        this.value = value;
        this.string = string;
    }

    /** Returns its place in the array of an action. */
    public int getValue() {
        return value;
    }

    /** Returns what people call it. */
    public String getString() {
        return string;
    }

    /** Returns how many buttons there are. */
    public static int numberOfActions() {
        return values().length;
    }

    /** Returns the button at a place in the array of an action. */
    public static MarioActions getAction(int value) {
        return values()[value];
    }
}
