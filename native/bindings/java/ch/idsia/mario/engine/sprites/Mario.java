package ch.idsia.mario.engine.sprites;

/** The buttons of 2009, as places in the array of an action. */
public class Mario {
    public static final int KEY_LEFT = 0;
    public static final int KEY_RIGHT = 1;
    public static final int KEY_DOWN = 2;
    public static final int KEY_JUMP = 3;
    public static final int KEY_SPEED = 4;
    public static final int KEY_UP = 5;

    private Mario() {}
}
