package ludus.judge;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The constants of a class file. New ones are added behind the old, which keep their numbers. */
final class ConstantPool {
    static final int UTF8 = 1, INTEGER = 3, LONG = 5, DOUBLE = 6, CLASS = 7, FIELD = 9, METHOD = 10,
            INTERFACE_METHOD = 11, NAME_AND_TYPE = 12, METHOD_HANDLE = 15, DYNAMIC = 17, INVOKE_DYNAMIC = 18;

    private static final int MOST = 65_535;
    private static final int[] LENGTHS = {0, 0, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2};

    private final List<ByteBuffer> entries = new ArrayList<>();
    private final Map<ByteBuffer, Integer> numbers = new HashMap<>();

    /** Reads the constants of a class file, which is left behind them. */
    ConstantPool(ByteBuffer file) {
        int count = file.getShort() & 0xFFFF;
        entries.add(null);
        while (entries.size() < count) {
            int tag = file.get(file.position());
            int length = tag == UTF8 ? 2 + (file.getShort(file.position() + 1) & 0xFFFF) : length(tag);
            byte[] entry = new byte[1 + length];
            file.get(entry);
            append(ByteBuffer.wrap(entry));
        }
    }

    private static int length(int tag) {
        if (tag < 0 || tag >= LENGTHS.length || LENGTHS[tag] == 0) {
            throw new Refused("a class has a constant of kind " + tag + ": a judged agent may not");
        }
        return LENGTHS[tag];
    }

    int size() {
        return entries.size();
    }

    int tag(int number) {
        ByteBuffer entry = entries.get(number);
        return entry == null ? 0 : entry.get(0);
    }

    String text(int number) {
        byte[] entry = entries.get(number).array();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(entry, 1, entry.length - 1))) {
            return in.readUTF();
        } catch (IOException error) {
            throw new Refused("a class has a broken name");
        }
    }

    /** Returns a name that another constant, such as a class, refers to. */
    String name(int number) {
        return text(first(number));
    }

    /** Returns the first number in an entry, that of a class or of a name. */
    int first(int number) {
        return entries.get(number).getShort(1) & 0xFFFF;
    }

    int second(int number) {
        return entries.get(number).getShort(3) & 0xFFFF;
    }

    /** Returns the kind of a method handle: 5 to 9 for the five ways to call a method. */
    int handleKind(int number) {
        return entries.get(number).get(1);
    }

    int handleMember(int number) {
        return entries.get(number).getShort(2) & 0xFFFF;
    }

    int intValue(int number) {
        return entries.get(number).getInt(1);
    }

    Member member(int number) {
        int nameAndType = second(number);
        boolean dynamic = tag(number) == INVOKE_DYNAMIC || tag(number) == DYNAMIC;
        return new Member(dynamic ? "" : name(first(number)), name(nameAndType), text(second(nameAndType)),
                tag(number) == INTERFACE_METHOD);
    }

    int addText(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.write(UTF8);
            out.writeUTF(text);
        } catch (IOException error) {
            throw new Refused("a class has a name that is too long");
        }
        return add(ByteBuffer.wrap(bytes.toByteArray()));
    }

    int addClass(String name) {
        return add(ByteBuffer.allocate(3).put((byte) CLASS).putShort((short) addText(name)));
    }

    int addInt(int value) {
        return add(ByteBuffer.allocate(5).put((byte) INTEGER).putInt(value));
    }

    int addMethod(Member member) {
        int nameAndType = addPair(NAME_AND_TYPE, addText(member.name), addText(member.type));
        return addPair(member.inInterface ? INTERFACE_METHOD : METHOD, addClass(member.owner), nameAndType);
    }

    int addHandle(int kind, int member) {
        return add(ByteBuffer.allocate(4).put((byte) METHOD_HANDLE).put((byte) kind).putShort((short) member));
    }

    private int addPair(int tag, int one, int other) {
        return add(ByteBuffer.allocate(5).put((byte) tag).putShort((short) one).putShort((short) other));
    }

    private int add(ByteBuffer entry) {
        entry.rewind();
        Integer known = numbers.get(entry);
        return known == null ? append(entry) : known;
    }

    private int append(ByteBuffer entry) {
        int number = entries.size();
        entries.add(entry);
        numbers.putIfAbsent(entry, number);
        if (entry.get(0) == LONG || entry.get(0) == DOUBLE) {
            entries.add(null);
        }
        if (entries.size() > MOST) {
            throw new Refused("a class has too many constants to be judged: split it");
        }
        return number;
    }

    void write(DataOutputStream out) throws IOException {
        out.writeShort(entries.size());
        for (ByteBuffer entry : entries) {
            if (entry != null) {
                out.write(entry.array());
            }
        }
    }
}
