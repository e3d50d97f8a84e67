package ludus.judge;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the calls of a class cost that leave the agent, and the code that charges for sizes. */
final class Calls {
    private static final int NEW_HANDLE = 8, STATIC_HANDLE = 6;
    private static final int[] OPCODES_OF_HANDLES = {0, 0, 0, 0, 0, Opcodes.INVOKEVIRTUAL, Opcodes.INVOKESTATIC,
        Opcodes.INVOKESPECIAL, Opcodes.INVOKESPECIAL, Opcodes.INVOKEINTERFACE};
    private static final String OF_VALUE = "(Ljava/lang/Object;)V";
    private static final Set<String> WITH_CAPACITY = Set.of("ArrayList", "HashMap", "HashSet", "LinkedHashMap",
            "LinkedHashSet", "ArrayDeque", "PriorityQueue", "StringBuilder", "StringBuffer", "Vector", "BitSet",
            "Hashtable", "IdentityHashMap", "BufferedReader", "BufferedInputStream", "ByteArrayOutputStream");
    private static final int MOST_SUPER_CLASSES = 64;

    private final ClassFile file;
    private final Bridges bridges;
    private final AgentClasses classes;

    Calls(ClassFile file, AgentClasses classes) {
        this.file = file;
        this.classes = classes;
        this.bridges = new Bridges(file);
    }

    List<ClassFile.Method> bridges() {
        return bridges.methods();
    }

    /** Returns what an instruction costs besides itself, and lets it charge for sizes. */
    int judge(Code code, CodeWriter writer, int pc, boolean follows) {
        int opcode = code.opcode(pc);
        switch (opcode) {
            case Opcodes.NEWARRAY: case Opcodes.ANEWARRAY:
                return judgeArray(code, writer, pc, follows);
            case Opcodes.MULTIANEWARRAY:
                writer.follow(pc, assemble().op(Opcodes.DUP).charge("spendDeep", OF_VALUE).toBytes());
                return 0;
            case Opcodes.INVOKEDYNAMIC:
                if (file.pool.member(code.number(pc)).result().equals("Ljava/lang/String;")) {
                    writer.follow(pc, assemble().op(Opcodes.DUP).charge("spendText", "(Ljava/lang/String;)V").toBytes());
                }
                return Costs.QUICK;
            default:
                return Opcodes.isInvoke(opcode) ? judgeCall(writer, pc, opcode, code.number(pc)) : 0;
        }
    }

    /** A length that stands in the code is charged with the block. */
    private int judgeArray(Code code, CodeWriter writer, int pc, boolean follows) {
        int before = follows ? code.instructions.previousSetBit(pc - 1) : -1;
        int opcode = before < 0 ? 0 : code.opcode(before);
        if (opcode == Opcodes.SIPUSH) {
            return Math.max(Opcodes.shortAt(code.bytes, before + 1), 0) / Sizes.ITEMS_FOR_A_UNIT;
        }
        if (opcode == Opcodes.BIPUSH) {
            return Math.max(code.bytes[before + 1], 0) / Sizes.ITEMS_FOR_A_UNIT;
        }
        if (opcode < Opcodes.ICONST_0 || opcode > Opcodes.ICONST_0 + 5) {
            writer.precede(pc, assemble().op(Opcodes.DUP).charge("spendCount", "(I)V").toBytes());
        }
        return 0;
    }

    private int judgeCall(CodeWriter writer, int pc, int opcode, int number) {
        Member method = file.pool.member(number);
        Member library = findLibrary(method);
        if (library == null) {
            return 0;
        }
        Costs.Size size = Costs.size(library);
        if (opcode == Opcodes.INVOKESPECIAL) {
            judgeSpecial(writer, pc, library, size);
        } else if (size != Costs.Size.NONE && canBridge()) {
            Member bridge = bridges.find(opcode, method, method.ownerType(), size);
            writer.replace(pc, assemble().invoke(Opcodes.INVOKESTATIC, bridge).toBytes());
        }
        return library.name.equals("<init>") ? Costs.QUICK : Costs.of(library);
    }

    /** Interfaces of old class files have no static methods; they have no calls but those of initializers. */
    private boolean canBridge() {
        return !file.isInterface() || file.major() >= 52;
    }

    /** What is called on a new object, or on that of a super class, cannot be bridged: its last argument counts. */
    private void judgeSpecial(CodeWriter writer, int pc, Member method, Costs.Size size) {
        List<String> arguments = method.arguments();
        String last = arguments.isEmpty() ? "" : arguments.get(arguments.size() - 1);
        String owner = method.owner.substring(method.owner.lastIndexOf('/') + 1);
        Assembler code = assemble();
        if (!method.name.equals("<init>") && size != Costs.Size.NONE) {
            code.op(Opcodes.ALOAD_0).charge("spend", OF_VALUE);
        }
        if (!last.isEmpty() && Bridges.kind(last) == Bridges.kind("L") && size != Costs.Size.NONE) {
            code.op(Opcodes.DUP).charge("spend", OF_VALUE);
        } else if (last.equals("I") && method.name.equals("<init>") && WITH_CAPACITY.contains(owner)) {
            code.op(Opcodes.DUP).charge("spendCount", "(I)V");
        }
        writer.precede(pc, code.toBytes());
    }

    /** Returns a method as the library has it, or null if it is the agent's own. */
    private Member findLibrary(Member method) {
        String owner = method.owner;
        for (int depth = 0; depth < MOST_SUPER_CLASSES && owner != null; depth++) {
            ClassFile own = owner.startsWith("[") ? null : classes.find(owner);
            if (own == null) {
                return new Member(owner, method.name, method.type, method.inInterface);
            }
            if (own.defines(method.name, method.type) || own.isInterface()) {
                return null;
            }
            owner = own.superName;
        }
        return null;
    }

    /** Lets method references into the library charge for sizes. */
    void judgeReferences() {
        for (ClassFile.Attribute attribute : file.attributes) {
            if (attribute.name().equals("BootstrapMethods")) {
                attribute.content = judgeBootstraps(attribute.content);
            }
        }
    }

    private byte[] judgeBootstraps(byte[] content) {
        ByteBuffer table = ByteBuffer.wrap(content.clone());
        Map<Integer, String> receivers = findReceivers();
        int count = table.getShort() & 0xFFFF;
        for (int bootstrap = 0; bootstrap < count; bootstrap++) {
            table.getShort();
            for (int left = table.getShort() & 0xFFFF; left > 0; left--) {
                int at = table.position();
                int argument = table.getShort() & 0xFFFF;
                if (file.pool.tag(argument) == ConstantPool.METHOD_HANDLE) {
                    table.putShort(at, (short) judgeHandle(argument, receivers.get(bootstrap)));
                }
            }
        }
        return table.array();
    }

    /** Returns the type of the first value that each lambda holds. */
    private Map<Integer, String> findReceivers() {
        Map<Integer, String> receivers = new HashMap<>();
        for (int number = 1; number < file.pool.size(); number++) {
            if (file.pool.tag(number) == ConstantPool.INVOKE_DYNAMIC) {
                List<String> held = file.pool.member(number).arguments();
                if (!held.isEmpty()) {
                    receivers.put(file.pool.first(number), held.get(0));
                }
            }
        }
        return receivers;
    }

    private int judgeHandle(int handle, String receiver) {
        int kind = file.pool.handleKind(handle);
        if (kind < 5 || kind > 9 || kind == 7) {
            return handle;
        }
        Member method = file.pool.member(file.pool.handleMember(handle));
        Member library = findLibrary(method);
        Costs.Size size = library == null ? Costs.Size.NONE : Costs.size(library);
        boolean plainNew = kind == NEW_HANDLE && method.arguments().isEmpty();
        if (size == Costs.Size.NONE || plainNew || library.owner.startsWith("java/lang/invoke/")
                || library.owner.startsWith("java/lang/runtime/")) {
            return handle;
        }
        String type = receiver == null ? method.ownerType() : receiver;
        Member bridge = bridges.find(OPCODES_OF_HANDLES[kind], method, type, size);
        return file.pool.addHandle(STATIC_HANDLE, file.pool.addMethod(bridge));
    }

    private Assembler assemble() {
        return new Assembler(file.pool);
    }
}
