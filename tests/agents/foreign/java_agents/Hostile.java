package tests;

import engine.core.MarioAgent;
import engine.core.MarioForwardModel;
import engine.core.MarioTimer;
import java.io.FileOutputStream;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Agents that play five ticks and then do what nobody should. */
abstract class Hostile implements MarioAgent {
    private int ticks;

    abstract boolean[] misbehave() throws Exception;

    @Override
    public void initialize(MarioForwardModel model, MarioTimer timer) {}

    @Override
    public boolean[] getActions(MarioForwardModel model, MarioTimer timer) {
        if (ticks++ < 5) {
            return new boolean[5];
        }
        try {
            return misbehave();
        } catch (Exception error) {
            throw new RuntimeException(error.getMessage(), error);
        }
    }

    @Override
    public String getAgentName() {
        return getClass().getSimpleName();
    }

    /** Writes to every descriptor of this process that can be written to, but to no file of others. */
    static void writeEverywhere(byte[] bytes) throws Exception {
        List<Path> descriptors;
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            descriptors = all.collect(Collectors.toList());
        }
        for (Path descriptor : descriptors) {
            if (Files.isReadable(descriptor) && Files.readSymbolicLink(descriptor).toString().startsWith("pipe:")) {
                try (FileOutputStream out = new FileOutputStream(descriptor.toFile())) {
                    out.write(bytes);
                } catch (java.io.IOException error) {
                    // it can be read only
                }
            }
        }
    }
}

class Throws extends Hostile {
    @Override
    boolean[] misbehave() {
        throw new IllegalStateException("no idea");
    }
}

class Exits extends Hostile {
    @Override
    boolean[] misbehave() {
        System.exit(3);
        return null;
    }
}

class Loops extends Hostile {
    @Override
    boolean[] misbehave() {
        while (true) {
            Thread.onSpinWait();
        }
    }
}

class Prints extends Hostile {
    @Override
    boolean[] misbehave() {
        for (int line = 0; line < 1_000_000; line++) {
            System.out.println(line);
        }
        return new boolean[5];
    }
}

class AnswersNothing extends Hostile {
    @Override
    boolean[] misbehave() {
        return null;
    }
}

class AnswersTooShort extends Hostile {
    @Override
    boolean[] misbehave() {
        return new boolean[2];
    }
}

class Recurses extends Hostile {
    @Override
    boolean[] misbehave() {
        return misbehave();
    }
}

class Segfaults extends Hostile {
    @Override
    boolean[] misbehave() throws Exception {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        Field field = unsafe.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        unsafe.getMethod("putAddress", long.class, long.class).invoke(field.get(null), 8L, 1L);
        return null;
    }
}

class WritesGarbage extends Hostile {
    @Override
    boolean[] misbehave() throws Exception {
        writeEverywhere(new byte[] {-1, -1, -1, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9});
        return new boolean[5];
    }
}

class WritesHalfAFrame extends Hostile {
    @Override
    boolean[] misbehave() throws Exception {
        writeEverywhere(new byte[] {100, 0, 0, 0, 7, 0, 0, 0, 1, 2, 3});
        while (true) {
            Thread.sleep(1000);
        }
    }
}

class IsNoAgent {}

class CannotBeMade extends Hostile {
    CannotBeMade() {
        throw new IllegalStateException("no weights");
    }

    @Override
    boolean[] misbehave() {
        return null;
    }
}
