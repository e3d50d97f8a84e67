package ludus;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** What agents print: passed on up to a limit for an episode, and an error beyond it. */
final class Prints extends OutputStream {
    private static final long MOST = 500_000;
    private static final AtomicLong COUNT = new AtomicLong();

    private final FileOutputStream target;

    private Prints(FileDescriptor descriptor) {
        target = new FileOutputStream(descriptor);
    }

    /** Returns a stream to print to. */
    static PrintStream open(FileDescriptor descriptor) {
        return new PrintStream(new Prints(descriptor), true);
    }

    /** Lets agents print as much as they may for an episode. */
    static void beginEpisode() {
        COUNT.set(0);
    }

    /** Fails if more was printed, whatever became of the error that said so. */
    static void check() {
        if (COUNT.get() > MOST) {
            throw new TooMuchPrinted();
        }
    }

    @Override
    public void write(int letter) throws IOException {
        write(new byte[] {(byte) letter}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        COUNT.addAndGet(length);
        check();
        target.write(bytes, offset, length);
    }

    /** Says that an agent has printed too much. */
    private static final class TooMuchPrinted extends Error {
        private static final long serialVersionUID = 1;

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "printed more than %,d bytes in an episode", MOST);
        }
    }
}
