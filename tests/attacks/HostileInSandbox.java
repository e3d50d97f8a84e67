package attacks;

import engine.core.MarioAgent;
import engine.core.MarioForwardModel;
import engine.core.MarioTimer;
import java.io.RandomAccessFile;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Tries one attempt an episode, in the order of ATTEMPTS in test_java_in_sandbox.py. */
public class HostileInSandbox implements MarioAgent {
    private interface Attempt {
        Object run() throws Throwable;
    }

    private static final String COUNTER = "attacks.attempt"; // classes are loaded anew for each episode
    private static final int HUGE = 512 << 20;

    private final Attempt[] attempts = {
        () -> new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 9),
        () -> new ServerSocket(0),
        () -> InetAddress.getByName("example.org"),
        () -> Files.readAllBytes(Path.of("/etc/passwd")),
        () -> Files.readAllBytes(beside("runs.db")),
        () -> Files.readAllBytes(beside("secret.key")),
        () -> Files.readAllBytes(Path.of("/proc/self/environ")),
        () -> Files.write(Path.of("/tmp/ludus-written-by-java"), new byte[1]),
        () -> Files.write(beside("written"), new byte[1]),
        () -> Files.createLink(scratch("link"), beside("runs.db")),
        () -> Runtime.getRuntime().exec("/bin/true"),
        () -> new ProcessBuilder("/bin/sh", "-c", "true").start(),
        this::loadLibrary,
        this::writeHugeFile,
        this::startThreads,
        this::allocate,
        this::allocateOutsideOfHeap,
        this::recurse,
        () -> System.getenv("SECRET_TOKEN") == null ? refuse("no secret") : "escaped",
        this::exitInThread,
    };

    private int attempt;

    @Override
    public void initialize(MarioForwardModel model, MarioTimer timer) {
        attempt = Integer.getInteger(COUNTER, 0);
        System.setProperty(COUNTER, String.valueOf(attempt + 1));
    }

    @Override
    public boolean[] getActions(MarioForwardModel model, MarioTimer timer) {
        try {
            attempts[attempt].run();
        } catch (Throwable error) {
            HostileInSandbox.<RuntimeException>raise(error);
        }
        throw new IllegalStateException("escaped");
    }

    @Override
    public String getAgentName() {
        return "hostile";
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void raise(Throwable error) throws E {
        throw (E) error;
    }

    private static Object refuse(String why) {
        throw new SecurityException(why);
    }

    private static Path beside(String name) throws Exception {
        Path classes = Path.of(HostileInSandbox.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        return classes.resolve(name);
    }

    private static Path scratch(String name) {
        return Path.of(System.getProperty("java.io.tmpdir"), name);
    }

    /** A library in the machine can do no more than the machine. */
    private Object loadLibrary() throws Exception {
        Path copy = scratch("library.so");
        Files.copy(Path.of(System.getProperty("java.home"), "lib", "libzip.so"), copy);
        System.load(copy.toString());
        return Files.readAllBytes(Path.of("/etc/passwd"));
    }

    private Object writeHugeFile() throws Exception {
        try (RandomAccessFile file = new RandomAccessFile(scratch("huge").toFile(), "rw")) {
            file.setLength(1L << 34);
        }
        return null;
    }

    private Object startThreads() {
        List<Thread> threads = new ArrayList<>();
        try {
            while (true) {
                Thread thread = new Thread(null, this::waitForEver, "one of many", HUGE);
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
        } finally {
            threads.forEach(Thread::interrupt);
        }
    }

    private void waitForEver() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException error) {
            // it was let go
        }
    }

    private Object allocate() {
        List<byte[]> all = new ArrayList<>();
        while (true) {
            all.add(new byte[8 << 20]);
        }
    }

    private Object allocateOutsideOfHeap() {
        List<ByteBuffer> all = new ArrayList<>();
        while (true) {
            all.add(ByteBuffer.allocateDirect(8 << 20));
        }
    }

    private Object recurse() {
        return recurse();
    }

    private Object exitInThread() throws InterruptedException {
        Thread thread = new Thread(() -> System.exit(7));
        thread.start();
        thread.join();
        return null;
    }
}

/** Plays to the right, and by reflection spoils whatever of Ludus it can reach. */
class Meddler implements MarioAgent {
    @Override
    public void initialize(MarioForwardModel model, MarioTimer timer) {}

    @Override
    public boolean[] getActions(MarioForwardModel model, MarioTimer timer) {
        try {
            long[] image = (long[]) read(model, "image");
            Object level = read(model, "level");
            Field ahead = level.getClass().getDeclaredField("playsAhead");
            ahead.setAccessible(true);
            ahead.set(level, false);
            java.util.Arrays.fill(image, 0);
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException(error);
        }
        return new boolean[] {false, true, false, true, false};
    }

    private static Object read(Object object, String name) throws ReflectiveOperationException {
        Field field = object.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(object);
    }

    @Override
    public String getAgentName() {
        return "meddler";
    }
}
