package ludus.judge;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Small methods of a judged class, each of which charges for sizes and then calls a method of the library. */
final class Bridges {
    private static final int PRIVATE_STATIC_SYNTHETIC = 0x100A;
    private static final int MORE_STACK = 4;
    private static final String OF_VALUE = "(Ljava/lang/Object;)V";
    private static final String OF_TWO = "(Ljava/lang/Object;Ljava/lang/Object;)V";

    private final ClassFile file;
    private final Map<String, Member> made = new HashMap<>();
    private final List<ClassFile.Method> methods = new ArrayList<>();

    Bridges(ClassFile file) {
        this.file = file;
    }

    /** Returns what was made, which belongs into the class. */
    List<ClassFile.Method> methods() {
        return methods;
    }

    /**
     * Returns the method to call in the place of another.
     *
     * @param opcode how it is called; invokespecial for a constructor, which the bridge calls on a new object
     * @param receiver the type of the object it is called on
     */
    Member find(int opcode, Member method, String receiver, Costs.Size size) {
        String key = opcode + receiver + method + method.type;
        return made.computeIfAbsent(key, absent -> make(opcode, method, receiver, size));
    }

    private Member make(int opcode, Member method, String receiver, Costs.Size size) {
        boolean makes = opcode == Opcodes.INVOKESPECIAL;
        List<String> arguments = new ArrayList<>(method.arguments());
        if (!makes && opcode != Opcodes.INVOKESTATIC) {
            arguments.add(0, receiver);
        }
        String result = makes ? method.ownerType() : method.result();
        String type = "(" + String.join("", arguments) + ")" + result;
        Member bridge = new Member(file.name, "ludus$" + made.size(), type, file.isInterface());
        Assembler code = new Assembler(file.pool);
        charge(code, arguments, size);
        if (makes) {
            code.op(Opcodes.NEW, file.pool.addClass(method.owner)).op(Opcodes.DUP);
        }
        int slot = 0;
        for (String argument : arguments) {
            code.variable(Opcodes.ILOAD + kind(argument), slot);
            slot += slots(argument);
        }
        code.invoke(opcode, method);
        if (result.startsWith("[") || result.equals("Ljava/lang/String;")) {
            code.op(Opcodes.DUP).charge("spend", OF_VALUE);
        }
        code.op(result.equals("V") ? Opcodes.RETURN : Opcodes.IRETURN + kind(result));
        int stack = slot + MORE_STACK;
        methods.add(file.new Method(PRIVATE_STATIC_SYNTHETIC, bridge.name, type, attribute(code, stack, slot)));
        return bridge;
    }

    private static void charge(Assembler code, List<String> arguments, Costs.Size size) {
        if (size == Costs.Size.PRODUCT && arguments.size() == 2) {
            code.variable(Opcodes.ALOAD, 0).variable(Opcodes.ALOAD, 1).charge("spendProduct", OF_TWO);
            return;
        }
        String name = name(size);
        int slot = 0;
        for (String argument : arguments) {
            boolean counts = size == Costs.Size.EACH || slot == 0;
            if (kind(argument) == kind("L") && counts) {
                code.variable(Opcodes.ALOAD, slot).charge(name, OF_VALUE);
            }
            slot += slots(argument);
        }
        if (size == Costs.Size.EACH && isCounted(arguments)) {
            code.variable(Opcodes.ILOAD, slot - 1).charge("spendCount", "(I)V");
        }
    }

    /** Returns whether the last argument says how many items are worked on, as that of arraycopy does. */
    private static boolean isCounted(List<String> arguments) {
        int last = arguments.size() - 1;
        return last >= 1 && arguments.get(last).equals("I") && arguments.get(last - 1).equals("I");
    }

    private static String name(Costs.Size size) {
        switch (size) {
            case SORT:
                return "spendSort";
            case DEEP:
                return "spendDeep";
            case WAY:
                return "spendWay";
            default:
                return "spend";
        }
    }

    private static byte[] attribute(Assembler code, int stack, int locals) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            byte[] instructions = code.toBytes();
            out.writeShort(stack);
            out.writeShort(locals);
            out.writeInt(instructions.length);
            out.write(instructions);
            out.writeInt(0); // neither handlers nor attributes
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
        return bytes.toByteArray();
    }

    /** Returns which of the five kinds of variables a type is: int, long, float, double, reference. */
    static int kind(String type) {
        char first = type.charAt(0);
        return first == 'J' ? 1 : first == 'F' ? 2 : first == 'D' ? 3 : first == 'L' || first == '[' ? 4 : 0;
    }

    static int slots(String type) {
        return kind(type) == 1 || kind(type) == 3 ? 2 : 1;
    }
}
