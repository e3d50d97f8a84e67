package engine.helper;

/** The buttons, in their order in the array of an action. */
public enum MarioActions {
    LEFT,
    RIGHT,
    DOWN,
    SPEED,
    JUMP
}
