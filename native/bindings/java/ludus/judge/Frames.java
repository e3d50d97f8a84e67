package ludus.judge;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/** The frames of a method: which types its variables and its stack have, where jumps lead. */
final class Frames {
    private static final int TOP = 0, INTEGER = 1, FLOAT = 2, DOUBLE = 3, LONG = 4, UNINITIALIZED_THIS = 6, OBJECT = 7,
            UNINITIALIZED = 8;
    private static final int FULL = 255, APPENDED = 251, SAME_FAR = 251, CHOPPED = 248, ONE_FAR = 247, ONE = 64;

    private final ConstantPool pool;
    private final Map<Integer, Frame> frames = new TreeMap<>();

    /** Types, each a tag in the low byte and a number above it. */
    static final class Frame {
        final List<Integer> locals;
        final List<Integer> stack;

        Frame(List<Integer> locals, List<Integer> stack) {
            this.locals = locals;
            this.stack = stack;
        }
    }

    Frames(ClassFile file, ClassFile.Method method, byte[] table) {
        pool = file.pool;
        ByteBuffer in = ByteBuffer.wrap(table);
        List<Integer> locals = firstLocals(file, method);
        int pc = -1;
        for (int count = in.getShort() & 0xFFFF; count > 0; count--) {
            int kind = in.get() & 0xFF;
            List<Integer> stack = new ArrayList<>();
            int delta = kind < ONE ? kind : kind < 2 * ONE ? kind - ONE : in.getShort() & 0xFFFF;
            if (kind >= ONE && kind < 2 * ONE || kind == ONE_FAR) {
                stack.add(readType(in));
            } else if (kind >= CHOPPED && kind < SAME_FAR) {
                locals = new ArrayList<>(locals.subList(0, locals.size() - (SAME_FAR - kind)));
            } else if (kind > APPENDED && kind < FULL) {
                locals = new ArrayList<>(locals);
                readTypes(in, kind - APPENDED, locals);
            } else if (kind == FULL) {
                locals = readTypes(in, in.getShort() & 0xFFFF, new ArrayList<>());
                readTypes(in, in.getShort() & 0xFFFF, stack);
            }
            pc += delta + 1;
            frames.put(pc, new Frame(locals, stack));
        }
    }

    /** Returns the frame of a place that jumps lead to, or null if that has none. */
    Frame at(int pc) {
        return frames.get(pc);
    }

    /** Returns the frame of a handler that knows of nothing but what was thrown. */
    Frame catching() {
        return new Frame(List.of(), List.of(object("java/lang/Throwable")));
    }

    private List<Integer> firstLocals(ClassFile file, ClassFile.Method method) {
        List<Integer> locals = new ArrayList<>();
        if (!method.isStatic()) {
            locals.add(method.name().equals("<init>") ? UNINITIALIZED_THIS : object(file.name));
        }
        for (String type : new Member("", "", method.type(), false).arguments()) {
            locals.add(typeOf(type));
        }
        return locals;
    }

    private int typeOf(String type) {
        switch (type.charAt(0)) {
            case 'J':
                return LONG;
            case 'D':
                return DOUBLE;
            case 'F':
                return FLOAT;
            case '[':
                return object(type);
            case 'L':
                return object(type.substring(1, type.length() - 1));
            default:
                return INTEGER;
        }
    }

    private int object(String name) {
        return OBJECT | pool.addClass(name) << 8;
    }

    private static List<Integer> readTypes(ByteBuffer in, int count, List<Integer> types) {
        for (int k = 0; k < count; k++) {
            types.add(readType(in));
        }
        return types;
    }

    private static int readType(ByteBuffer in) {
        int tag = in.get();
        return tag == OBJECT || tag == UNINITIALIZED ? tag | (in.getShort() & 0xFFFF) << 8 : tag;
    }

    /**
     * Writes all frames, each in full.
     *
     * @param variable the variable with what was counted, or -1 if there is none
     * @param place where an instruction is now, with what stands before it
     * @param opcode where an instruction itself is now
     * @param added frames of new places
     */
    void write(DataOutputStream out, int variable, IntUnaryOperator place, IntUnaryOperator opcode,
            Map<Integer, Frame> added) throws IOException {
        TreeMap<Integer, Frame> moved = new TreeMap<>(added);
        frames.forEach((pc, frame) -> moved.put(place.applyAsInt(pc), frame));
        out.writeShort(moved.size());
        int last = -1;
        for (Map.Entry<Integer, Frame> entry : moved.entrySet()) {
            out.write(FULL);
            out.writeShort(entry.getKey() - last - 1);
            last = entry.getKey();
            List<Integer> locals = entry.getValue().locals;
            writeTypes(out, variable < 0 ? locals : withVariable(locals, variable), opcode);
            writeTypes(out, entry.getValue().stack, opcode);
        }
    }

    private static List<Integer> withVariable(List<Integer> locals, int variable) {
        List<Integer> all = new ArrayList<>(locals);
        int slots = locals.size() + (int) locals.stream().filter(type -> type == LONG || type == DOUBLE).count();
        Integer[] gap = new Integer[variable - slots];
        Arrays.fill(gap, TOP);
        all.addAll(Arrays.asList(gap));
        all.add(INTEGER);
        return all;
    }

    private static void writeTypes(DataOutputStream out, List<Integer> types, IntUnaryOperator opcode)
            throws IOException {
        out.writeShort(types.size());
        for (int type : types) {
            int tag = type & 0xFF;
            out.write(tag);
            if (tag == OBJECT) {
                out.writeShort(type >>> 8);
            } else if (tag == UNINITIALIZED) {
                out.writeShort(opcode.applyAsInt(type >>> 8));
            }
        }
    }
}
