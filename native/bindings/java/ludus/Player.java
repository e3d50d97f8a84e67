package ludus;

/** An agent of one of the interfaces, as the runner plays it. */
interface Player {
    /** Returns the first letter of the rules that it plays by: F of the framework, C of the competition of 2009. */
    char kind();

    /** Returns what it calls itself. */
    String name();

    /** Prepares for a new game, which is in this state; the image is the player's from now on. */
    void begin(Level level, long[] image) throws ReflectiveOperationException;

    /** Returns the buttons that it presses; the image is the player's from now on. */
    boolean[] act(Level level, long[] image);
}
