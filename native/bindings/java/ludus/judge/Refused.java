package ludus.judge;

/** Says in one line why a class cannot be judged. */
final class Refused extends LinkageError {
    private static final long serialVersionUID = 1;

    Refused(String message) {
        super(message);
    }

    @Override
    public String toString() {
        return getMessage();
    }
}
