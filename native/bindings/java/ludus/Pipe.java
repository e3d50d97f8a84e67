package ludus;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The way to the process that starts this one: frames of a number, a kind and some bytes. */
final class Pipe {
    static {
        Library.load();
    }

    private static final int HEAD = 5;

    private final int incoming;
    private final int outgoing;
    private int number;

    Pipe(int incoming, int outgoing) {
        this.incoming = incoming;
        this.outgoing = outgoing;
    }

    /** Returns the next frame from its kind on; null if the other process is gone. */
    ByteBuffer receive() {
        byte[] frame = receive(incoming);
        if (frame == null || frame.length < HEAD) {
            return null;
        }
        ByteBuffer content = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        number = content.getInt();
        return content;
    }

    /** Answers the last frame. */
    boolean answer(int kind, byte[] content) {
        return send(outgoing, number, kind, content);
    }

    private static native byte[] receive(int descriptor);

    private static native boolean send(int descriptor, int number, int kind, byte[] content);
}
