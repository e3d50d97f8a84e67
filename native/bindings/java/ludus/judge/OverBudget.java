package ludus.judge;

/** Ends a call that has used up its units. Whoever catches it gets it again from the next block. */
final class OverBudget extends Error {
    private static final long serialVersionUID = 1;

    OverBudget() {
        super("used up its units", null, false, false);
    }

    @Override
    public String toString() {
        return getMessage();
    }
}
