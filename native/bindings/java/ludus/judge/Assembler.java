package ludus.judge;

import java.io.ByteArrayOutputStream;

/** Writes instructions one after the other. */
final class Assembler {
    private static final String COUNTER = "ludus/judge/Counter";
    private static final String SIZES = "ludus/judge/Sizes";
    private static final int WIDE_LOAD_STORE = 255;

    private final ConstantPool pool;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Assembler(ConstantPool pool) {
        this.pool = pool;
    }

    byte[] toBytes() {
        return out.toByteArray();
    }

    Assembler op(int opcode) {
        out.write(opcode);
        return this;
    }

    Assembler op(int opcode, int number) {
        out.write(opcode);
        out.write(number >> 8);
        out.write(number);
        return this;
    }

    /** Loads or stores a variable. */
    Assembler variable(int opcode, int number) {
        if (number > WIDE_LOAD_STORE) {
            out.write(Opcodes.WIDE);
            return op(opcode, number);
        }
        out.write(opcode);
        out.write(number);
        return this;
    }

    Assembler push(int value) {
        if (value >= -1 && value <= 5) {
            out.write(Opcodes.ICONST_0 + value);
        } else if (value == (byte) value) {
            out.write(Opcodes.BIPUSH);
            out.write(value);
        } else if (value == (short) value) {
            op(Opcodes.SIPUSH, value);
        } else {
            op(Opcodes.LDC_W, pool.addInt(value));
        }
        return this;
    }

    /** Adds to a variable. */
    Assembler add(int number, int value) {
        if (number <= WIDE_LOAD_STORE && value == (byte) value) {
            out.write(Opcodes.IINC);
            out.write(number);
            out.write(value);
            return this;
        }
        return variable(Opcodes.ILOAD, number).push(value).op(Opcodes.IADD).variable(Opcodes.ISTORE, number);
    }

    Assembler invoke(int opcode, Member method) {
        op(opcode, pool.addMethod(method));
        if (opcode == Opcodes.INVOKEINTERFACE) {
            int slots = 1 + method.arguments().stream().mapToInt(Bridges::slots).sum();
            out.write(slots);
            out.write(0);
        }
        return this;
    }

    /** Calls a method of the counter. */
    Assembler count(String name, String type) {
        return invoke(Opcodes.INVOKESTATIC, new Member(COUNTER, name, type, false));
    }

    /** Calls a method that charges for sizes. */
    Assembler charge(String name, String type) {
        return invoke(Opcodes.INVOKESTATIC, new Member(SIZES, name, type, false));
    }
}
