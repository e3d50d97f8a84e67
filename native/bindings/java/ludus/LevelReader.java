package ludus;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads the level of a request. */
final class LevelReader {
    private static final int TEXT = 0;
    private static final int PHYSICS_NUMBERS = 9;
    private static final int MAP_NUMBERS = 6;

    private LevelReader() {}

    static Level read(ByteBuffer request) {
        boolean playsAhead = request.get() != 0;
        int milliseconds = request.getShort() & 0xFFFF;
        int[] killEvents = ints(request, request.getInt());
        return readLevel(request, killEvents).allow(playsAhead, milliseconds);
    }

    private static Level readLevel(ByteBuffer request, int[] killEvents) {
        String rules = new String(bytes(request, request.get()), StandardCharsets.US_ASCII);
        if (request.get() == TEXT) {
            float[] physics = request.get() == 0 ? null : floats(request, PHYSICS_NUMBERS);
            return Level.fromText(bytes(request, request.remaining()), rules, physics, killEvents);
        }
        int[] numbers = ints(request, MAP_NUMBERS);
        int[] creatures = ints(request, request.getInt());
        int[] data = ints(request, request.getInt());
        return Level.fromMap(rules, numbers, bytes(request, request.remaining()), creatures, data);
    }

    private static byte[] bytes(ByteBuffer request, int count) {
        byte[] bytes = new byte[count];
        request.get(bytes);
        return bytes;
    }

    private static int[] ints(ByteBuffer request, int count) {
        int[] numbers = new int[count];
        for (int k = 0; k < count; k++) {
            numbers[k] = request.getInt();
        }
        return numbers;
    }

    private static float[] floats(ByteBuffer request, int count) {
        float[] numbers = new float[count];
        for (int k = 0; k < count; k++) {
            numbers[k] = request.getFloat();
        }
        return numbers;
    }
}
