package ludus.judge;

import java.nio.ByteBuffer;

/** The instructions of byte code: how long they are, and where they lead. */
final class Opcodes {
    static final int ICONST_0 = 3, BIPUSH = 16, SIPUSH = 17, LDC = 18, LDC_W = 19, ILOAD = 21, ALOAD = 25, ALOAD_0 = 42,
            ISTORE = 54, DUP = 89, IADD = 96, IINC = 132, IFEQ = 153, GOTO = 167, JSR = 168, RET = 169,
            TABLESWITCH = 170, LOOKUPSWITCH = 171, IRETURN = 172, ARETURN = 176, RETURN = 177, INVOKEVIRTUAL = 182,
            INVOKESPECIAL = 183, INVOKESTATIC = 184, INVOKEINTERFACE = 185, INVOKEDYNAMIC = 186, NEW = 187,
            NEWARRAY = 188, ANEWARRAY = 189, ATHROW = 191, MONITOREXIT = 195, WIDE = 196, MULTIANEWARRAY = 197,
            IFNULL = 198, IFNONNULL = 199, GOTO_W = 200, JSR_W = 201;

    private static final String LENGTHS = "1".repeat(16) + "23233" + "2".repeat(5) + "1".repeat(28) + "2".repeat(5)
            + "1".repeat(73) + "3" + "1".repeat(20) + "3".repeat(16) + "200" + "1".repeat(6) + "3".repeat(7) + "55323"
            + "11" + "33" + "11" + "043355";

    private Opcodes() {}

    /** Returns the length of the instruction at a place. */
    static int length(byte[] code, int pc) {
        int length = readLength(code, pc);
        if (length <= 0 || pc + length > code.length) {
            throw new Refused("byte code has a broken instruction");
        }
        return length;
    }

    private static int readLength(byte[] code, int pc) {
        int opcode = code[pc] & 0xFF;
        if (opcode >= LENGTHS.length() || opcode == JSR || opcode == JSR_W || opcode == RET) {
            throw new Refused("byte code has instruction " + opcode + ": compile it anew, for Java 6 or later");
        }
        if (opcode == WIDE) {
            return (code[pc + 1] & 0xFF) == IINC ? 6 : 4;
        }
        if (opcode == TABLESWITCH) {
            int at = aligned(pc);
            return at + 12 + 4 * (intAt(code, at + 8) - intAt(code, at + 4) + 1) - pc;
        }
        if (opcode == LOOKUPSWITCH) {
            int at = aligned(pc);
            return at + 8 + 8 * intAt(code, at + 4) - pc;
        }
        return LENGTHS.charAt(opcode) - '0';
    }

    /** Returns where the numbers of a switch begin. */
    static int aligned(int pc) {
        return pc + 4 & ~3;
    }

    static boolean isBranch(int opcode) {
        return opcode >= IFEQ && opcode <= GOTO || opcode == IFNULL || opcode == IFNONNULL || opcode == GOTO_W;
    }

    static boolean isSwitch(int opcode) {
        return opcode == TABLESWITCH || opcode == LOOKUPSWITCH;
    }

    static boolean isReturn(int opcode) {
        return opcode >= IRETURN && opcode <= RETURN;
    }

    static boolean isInvoke(int opcode) {
        return opcode >= INVOKEVIRTUAL && opcode <= INVOKEDYNAMIC;
    }

    /** Returns whether what follows is reached by jumps alone. */
    static boolean endsFlow(int opcode) {
        return opcode == GOTO || opcode == GOTO_W || opcode == ATHROW || isReturn(opcode) || isSwitch(opcode);
    }

    /** Returns where a branch leads. */
    static int target(byte[] code, int pc) {
        return pc + ((code[pc] & 0xFF) == GOTO_W ? intAt(code, pc + 1) : shortAt(code, pc + 1));
    }

    /** Returns the places, in an instruction, of the four bytes that say where a switch leads. */
    static int[] switchEntries(byte[] code, int pc) {
        int at = aligned(pc);
        boolean table = (code[pc] & 0xFF) == TABLESWITCH;
        int count = table ? intAt(code, at + 8) - intAt(code, at + 4) + 1 : intAt(code, at + 4);
        int[] entries = new int[1 + count];
        entries[0] = at;
        for (int k = 0; k < count; k++) {
            entries[1 + k] = table ? at + 12 + 4 * k : at + 12 + 8 * k;
        }
        return entries;
    }

    static int intAt(byte[] code, int at) {
        return ByteBuffer.wrap(code).getInt(at);
    }

    static int shortAt(byte[] code, int at) {
        return ByteBuffer.wrap(code).getShort(at);
    }
}
