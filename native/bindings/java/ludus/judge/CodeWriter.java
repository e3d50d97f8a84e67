package ludus.judge;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes code with insertions: jumps, switches, handlers, frames and lines move along. */
final class CodeWriter {
    private static final int MOST_BYTES = 65_535;
    private static final int FAR_JUMP = 5;
    private static final byte[] NOTHING = {};

    private final Code code;
    private final Map<Integer, byte[]> before = new HashMap<>();
    private final Map<Integer, byte[]> prefix = new HashMap<>();
    private final Map<Integer, byte[]> replaced = new HashMap<>();
    private final Map<Integer, byte[]> suffix = new HashMap<>();
    private final BitSet far = new BitSet(); // branches whose two bytes do not suffice
    private final Map<Integer, List<Integer>> relays = new HashMap<>(); // far jumps of branches, by what they follow
    private final Map<Integer, Integer> relayPlaces = new HashMap<>();
    private final int[] places;
    private final int[] opcodes;
    private byte[] prologue = NOTHING;
    private byte[] epilogue = NOTHING;

    CodeWriter(Code code) {
        this.code = code;
        this.places = new int[code.bytes.length + 1];
        this.opcodes = new int[code.bytes.length + 1];
    }

    /** Lets code run whenever a block is entered. */
    void begin(int pc, byte[] inserted) {
        before.put(pc, inserted);
    }

    /** Lets code run right before an instruction. */
    void precede(int pc, byte[] inserted) {
        byte[] already = prefix.getOrDefault(pc, NOTHING);
        byte[] both = java.util.Arrays.copyOf(already, already.length + inserted.length);
        System.arraycopy(inserted, 0, both, already.length, inserted.length);
        prefix.put(pc, both);
    }

    /** Lets code run right after an instruction. */
    void follow(int pc, byte[] inserted) {
        suffix.put(pc, inserted);
    }

    /** Puts another instruction into the place of one. */
    void replace(int pc, byte[] instruction) {
        replaced.put(pc, instruction);
    }

    /** Lets code run once when the method is entered, and other code when something is thrown out of it. */
    void surround(byte[] atStart, byte[] whenThrown) {
        prologue = atStart;
        epilogue = whenThrown;
    }

    /** Returns the content of the new code attribute. */
    byte[] write(ClassFile file, Frames frames, int variable, int moreStack) {
        do {
            arrange();
        } while (widen());
        if (places[code.bytes.length] + epilogue.length > MOST_BYTES) {
            throw new Refused(file.name.replace('/', '.') + " has a method too long to be judged: split it");
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeShort(code.maxStack + moreStack);
            out.writeShort(Math.max(code.maxLocals, variable + 1));
            out.writeInt(places[code.bytes.length] + epilogue.length);
            writeInstructions(out);
            writeHandlers(out);
            writeAttributes(file, out, frames, variable);
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
        return bytes.toByteArray();
    }

    private void arrange() {
        int at = prologue.length;
        for (int pc = code.instructions.nextSetBit(0); pc >= 0; pc = code.instructions.nextSetBit(pc + 1)) {
            places[pc] = at;
            at += before.getOrDefault(pc, NOTHING).length + prefix.getOrDefault(pc, NOTHING).length;
            opcodes[pc] = at;
            at += lengthAt(pc, at) + suffix.getOrDefault(pc, NOTHING).length;
            for (int branch : relays.getOrDefault(pc, List.of())) {
                relayPlaces.put(branch, at);
                at += FAR_JUMP;
            }
        }
        places[code.bytes.length] = at;
    }

    private int lengthAt(int pc, int at) {
        if (replaced.containsKey(pc)) {
            return replaced.get(pc).length;
        }
        int length = Opcodes.length(code.bytes, pc);
        if (Opcodes.isSwitch(code.opcode(pc))) {
            return length + Opcodes.aligned(at) - at - (Opcodes.aligned(pc) - pc);
        }
        return far.get(pc) && code.opcode(pc) == Opcodes.GOTO ? FAR_JUMP : length;
    }

    /** Returns whether a branch has become too long, and makes room for that. */
    private boolean widen() {
        boolean changed = false;
        for (int pc = code.instructions.nextSetBit(0); pc >= 0; pc = code.instructions.nextSetBit(pc + 1)) {
            int opcode = code.opcode(pc);
            if (Opcodes.isBranch(opcode) && opcode != Opcodes.GOTO_W && !far.get(pc)) {
                int distance = places[Opcodes.target(code.bytes, pc)] - opcodes[pc];
                if (distance != (short) distance) {
                    far.set(pc);
                    changed = true;
                    if (opcode != Opcodes.GOTO) {
                        relays.computeIfAbsent(findRelay(pc), key -> new ArrayList<>()).add(pc);
                    }
                }
            }
        }
        return changed;
    }

    /** Returns the nearest instruction behind which nothing is reached but by jumps. */
    private int findRelay(int branch) {
        int best = -1;
        for (int pc = code.instructions.nextSetBit(0); pc >= 0; pc = code.instructions.nextSetBit(pc + 1)) {
            boolean nearer = best < 0 || Math.abs(opcodes[pc] - opcodes[branch]) < Math.abs(opcodes[best]
                    - opcodes[branch]);
            if (Opcodes.endsFlow(code.opcode(pc)) && nearer) {
                best = pc;
            }
        }
        if (best < 0 || Math.abs(opcodes[best] - opcodes[branch]) > Short.MAX_VALUE / 2) {
            throw new Refused("a method is too long to be judged: split it");
        }
        return best;
    }

    private void writeInstructions(DataOutputStream out) throws IOException {
        out.write(prologue);
        for (int pc = code.instructions.nextSetBit(0); pc >= 0; pc = code.instructions.nextSetBit(pc + 1)) {
            out.write(before.getOrDefault(pc, NOTHING));
            out.write(prefix.getOrDefault(pc, NOTHING));
            writeInstruction(out, pc);
            out.write(suffix.getOrDefault(pc, NOTHING));
            for (int branch : relays.getOrDefault(pc, List.of())) {
                out.write(Opcodes.GOTO_W);
                out.writeInt(places[Opcodes.target(code.bytes, branch)] - relayPlaces.get(branch));
            }
        }
        out.write(epilogue);
    }

    private void writeInstruction(DataOutputStream out, int pc) throws IOException {
        int opcode = code.opcode(pc);
        if (replaced.containsKey(pc)) {
            out.write(replaced.get(pc));
        } else if (Opcodes.isSwitch(opcode)) {
            writeSwitch(out, pc);
        } else if (Opcodes.isBranch(opcode)) {
            int distance = places[Opcodes.target(code.bytes, pc)] - opcodes[pc];
            if (opcode == Opcodes.GOTO_W || opcode == Opcodes.GOTO && far.get(pc)) {
                out.write(Opcodes.GOTO_W);
                out.writeInt(distance);
            } else {
                out.write(opcode);
                out.writeShort(far.get(pc) ? relayPlaces.get(pc) - opcodes[pc] : distance);
            }
        } else {
            out.write(code.bytes, pc, Opcodes.length(code.bytes, pc));
        }
    }

    private void writeSwitch(DataOutputStream out, int pc) throws IOException {
        out.write(code.opcode(pc));
        out.write(new byte[Opcodes.aligned(opcodes[pc]) - opcodes[pc] - 1]);
        BitSet jumps = new BitSet();
        for (int entry : Opcodes.switchEntries(code.bytes, pc)) {
            jumps.set(entry);
        }
        int end = pc + Opcodes.length(code.bytes, pc);
        for (int at = Opcodes.aligned(pc); at < end; at += 4) {
            int value = Opcodes.intAt(code.bytes, at);
            out.writeInt(jumps.get(at) ? places[pc + value] - opcodes[pc] : value);
        }
    }

    /** Writes the handlers; what is counted where a handler begins is in the reach of none. */
    private void writeHandlers(DataOutputStream out) throws IOException {
        List<int[]> handlers = new ArrayList<>();
        for (int[] handler : code.handlers) {
            int start = reports(handler[0]) ? body(handler[0]) : places[handler[0]];
            for (int pc = code.caught.nextSetBit(handler[0] + 1); pc >= 0 && pc < handler[1];
                    pc = code.caught.nextSetBit(pc + 1)) {
                if (reports(pc)) {
                    handlers.add(new int[] {start, places[pc], places[handler[2]], handler[3]});
                    start = body(pc);
                }
            }
            handlers.add(new int[] {start, places[handler[1]], places[handler[2]], handler[3]});
        }
        if (epilogue.length > 0) {
            int end = places[code.bytes.length];
            handlers.add(new int[] {prologue.length, end, end, 0});
        }
        handlers.removeIf(handler -> handler[0] >= handler[1]);
        out.writeShort(handlers.size());
        for (int[] handler : handlers) {
            for (int number : handler) {
                out.writeShort(number);
            }
        }
    }

    private boolean reports(int pc) {
        return code.caught.get(pc) && !code.unlocking.get(pc);
    }

    private int body(int pc) {
        return places[pc] + before.getOrDefault(pc, NOTHING).length;
    }

    private void writeAttributes(ClassFile file, DataOutputStream out, Frames frames, int variable)
            throws IOException {
        List<ClassFile.Attribute> attributes = new ArrayList<>();
        attributes.add(file.new Attribute(file.pool.addText("StackMapTable"), moveFrames(frames, variable)));
        for (ClassFile.Attribute attribute : code.attributes) {
            String name = attribute.name();
            if (name.equals("LineNumberTable")) {
                attributes.add(file.new Attribute(file.pool.addText(name), moveTable(attribute.content, 4, false)));
            } else if (name.startsWith("LocalVariableT")) {
                attributes.add(file.new Attribute(file.pool.addText(name), moveTable(attribute.content, 10, true)));
            }
        }
        ClassFile.writeAttributes(out, attributes);
    }

    private byte[] moveFrames(Frames frames, int variable) throws IOException {
        Map<Integer, Frames.Frame> added = new TreeMap<>();
        relayPlaces.forEach((branch, place) -> {
            Frames.Frame frame = frames.at(Opcodes.target(code.bytes, branch));
            if (frame != null) {
                added.put(place, frame);
            }
        });
        if (epilogue.length > 0) {
            added.put(places[code.bytes.length], frames.catching());
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream table = new DataOutputStream(bytes)) {
            frames.write(table, variable, pc -> places[pc], pc -> opcodes[pc], added);
        }
        return bytes.toByteArray();
    }

    /** Returns a table whose rows begin with a place, and perhaps a length. */
    private byte[] moveTable(byte[] content, int row, boolean hasLength) {
        java.nio.ByteBuffer table = java.nio.ByteBuffer.wrap(content.clone());
        for (int at = 2; at + row <= content.length; at += row) {
            int start = table.getShort(at) & 0xFFFF;
            table.putShort(at, (short) places[start]);
            if (hasLength) {
                int end = start + (table.getShort(at + 2) & 0xFFFF);
                table.putShort(at + 2, (short) (places[end] - places[start]));
            }
        }
        return table.array();
    }
}
