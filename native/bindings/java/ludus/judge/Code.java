package ludus.judge;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The code of a method, as it was compiled: instructions, blocks, handlers, lines. */
final class Code {
    final int maxStack;
    final int maxLocals;
    final byte[] bytes;
    final List<int[]> handlers = new ArrayList<>(); // start, end, handler, class
    final List<ClassFile.Attribute> attributes;

    /** Where instructions begin. */
    final BitSet instructions = new BitSet();
    /** Where blocks begin. */
    final BitSet blocks = new BitSet();
    /** Where jumps lead to that go back, so that every loop passes one. */
    final BitSet loops = new BitSet();
    /** Where handlers begin. */
    final BitSet caught = new BitSet();
    /** Handlers that give back a lock, and must. */
    final BitSet unlocking = new BitSet();

    Code(ClassFile file, byte[] attribute) {
        ByteBuffer in = ByteBuffer.wrap(attribute);
        maxStack = in.getShort() & 0xFFFF;
        maxLocals = in.getShort() & 0xFFFF;
        bytes = new byte[in.getInt()];
        in.get(bytes);
        for (int count = in.getShort() & 0xFFFF; count > 0; count--) {
            handlers.add(new int[] {in.getShort() & 0xFFFF, in.getShort() & 0xFFFF, in.getShort() & 0xFFFF,
                in.getShort() & 0xFFFF});
        }
        attributes = file.readAttributes(in);
        findBlocks();
        findHandlers();
        checkPlaces();
    }

    int opcode(int pc) {
        return bytes[pc] & 0xFF;
    }

    int number(int pc) {
        return Opcodes.shortAt(bytes, pc + 1) & 0xFFFF;
    }

    /** Returns the content of an attribute of the code, or null. */
    byte[] attribute(String name) {
        return attributes.stream().filter(one -> one.name().equals(name)).map(one -> one.content).findFirst()
                .orElse(null);
    }

    /** Returns the line that a place was compiled from, or 0. */
    int line(int pc) {
        byte[] table = attribute("LineNumberTable");
        int line = 0;
        int nearest = -1;
        for (int at = 2; table != null && at + 3 < table.length; at += 4) {
            int start = Opcodes.shortAt(table, at) & 0xFFFF;
            if (start <= pc && start > nearest) {
                nearest = start;
                line = Opcodes.shortAt(table, at + 2) & 0xFFFF;
            }
        }
        return line;
    }

    private void findBlocks() {
        blocks.set(0);
        int next;
        for (int pc = 0; pc < bytes.length; pc = next) {
            instructions.set(pc);
            next = pc + Opcodes.length(bytes, pc);
            int opcode = opcode(pc);
            if (Opcodes.isBranch(opcode)) {
                jump(pc, Opcodes.target(bytes, pc));
            } else if (Opcodes.isSwitch(opcode)) {
                for (int entry : Opcodes.switchEntries(bytes, pc)) {
                    jump(pc, pc + Opcodes.intAt(bytes, entry));
                }
            }
            if (Opcodes.isBranch(opcode) || Opcodes.endsFlow(opcode)) {
                blocks.set(next);
            }
        }
        blocks.clear(bytes.length);
    }

    private void jump(int pc, int target) {
        blocks.set(target);
        if (target <= pc) {
            loops.set(target);
        }
    }

    /** Refuses jumps into instructions: they would lead somewhere else once the code has moved. */
    private void checkPlaces() {
        BitSet places = (BitSet) blocks.clone();
        for (int[] handler : handlers) {
            places.set(handler[0]);
            places.set(handler[1]);
        }
        places.clear(bytes.length);
        places.andNot(instructions);
        if (!places.isEmpty()) {
            throw new Refused("byte code jumps into an instruction");
        }
    }

    private void findHandlers() {
        for (int[] handler : handlers) {
            blocks.set(handler[2]);
            caught.set(handler[2]);
        }
        for (int[] handler : handlers) {
            boolean coversItself = handler[0] <= handler[2] && handler[2] < handler[1];
            if (coversItself && unlocksBy(handler[2])) {
                unlocking.set(handler[2]);
            }
        }
    }

    /** Returns whether the block that begins here gives back a lock. */
    private boolean unlocksBy(int pc) {
        for (int at = pc; at < bytes.length; at = instructions.nextSetBit(at + 1)) {
            if (opcode(at) == Opcodes.MONITOREXIT) {
                return true;
            }
            if (Opcodes.endsFlow(opcode(at)) || Opcodes.isBranch(opcode(at)) || instructions.nextSetBit(at + 1) < 0) {
                return false;
            }
        }
        return false;
    }
}
