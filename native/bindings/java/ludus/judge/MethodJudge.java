package ludus.judge;

/** Rewrites one method so that it counts its blocks. */
final class MethodJudge {
    private static final int MORE_STACK = 6;

    private final ClassFile file;
    private final ClassFile.Method method;
    private final Calls calls;
    private final Profile profile;
    private final Code code;
    private final CodeWriter writer;
    private final int variable;

    /**
     * @param calls what calls cost
     * @param profile where to count each block, or null
     */
    MethodJudge(ClassFile file, ClassFile.Method method, Calls calls, Profile profile) {
        this.file = file;
        this.method = method;
        this.calls = calls;
        this.profile = profile;
        this.code = new Code(file, method.code().content);
        this.writer = new CodeWriter(code);
        this.variable = gathers() ? code.maxLocals : -1;
    }

    /** Where a method has branches, it gathers in a variable what it uses, and reports that when it ends. */
    private boolean gathers() {
        return profile == null && code.blocks.cardinality() > 1 && !method.name().equals("<init>");
    }

    void rewrite() {
        int[] costs = new int[code.bytes.length];
        for (int pc = code.blocks.nextSetBit(0); pc >= 0; pc = code.blocks.nextSetBit(pc + 1)) {
            int end = code.blocks.nextSetBit(pc + 1);
            costs[pc] = judgeBlock(pc, end < 0 ? code.bytes.length : end);
        }
        new Folding(code, costs).fold();
        if (variable >= 0) {
            surround(code.loops.get(0) ? 0 : costs[0]);
        }
        for (int pc = code.blocks.nextSetBit(0); pc >= 0; pc = code.blocks.nextSetBit(pc + 1)) {
            if (costs[pc] > 0) {
                count(pc, costs[pc]);
            }
        }
        byte[] table = code.attribute("StackMapTable");
        Frames frames = new Frames(file, method, table == null ? new byte[2] : table);
        method.code().content = writer.write(file, frames, variable, MORE_STACK);
    }

    private void surround(int first) {
        byte[] start = code().push(first).variable(Opcodes.ISTORE, variable).toBytes();
        byte[] thrown = report().op(Opcodes.ATHROW).toBytes();
        writer.surround(start, thrown);
    }

    /** Returns what a block costs; what depends on sizes is charged where it happens. */
    private int judgeBlock(int start, int end) {
        int cost = 0;
        for (int pc = start; pc >= 0 && pc < end; pc = code.instructions.nextSetBit(pc + 1)) {
            int opcode = code.opcode(pc);
            cost += Costs.of(opcode) + calls.judge(code, writer, pc, pc > start);
            if (variable >= 0 && Opcodes.isReturn(opcode)) {
                writer.precede(pc, report().toBytes());
            }
        }
        return cost;
    }

    private void count(int pc, int cost) {
        Assembler inserted = code();
        if (code.unlocking.get(pc)) {
            inserted.push(cost).count("note", "(I)V");
        } else if (profile != null) {
            String place = file.source() + "\t" + function() + "\t" + code.line(pc);
            inserted.push(profile.add(place, cost)).count("enter", "(I)V");
        } else if (variable < 0) {
            inserted.push(cost).count("spend", "(I)V");
        } else if (code.caught.get(pc)) {
            inserted.add(variable, cost).variable(Opcodes.ILOAD, variable).count("spend", "(I)V");
            inserted.push(0).variable(Opcodes.ISTORE, variable);
        } else if (code.loops.get(pc)) {
            inserted.variable(Opcodes.ILOAD, variable).push(cost).op(Opcodes.IADD).count("lap", "(I)I");
            inserted.variable(Opcodes.ISTORE, variable);
        } else if (pc > 0) {
            inserted.add(variable, cost);
        }
        writer.begin(pc, inserted.toBytes());
    }

    private String function() {
        return file.name.substring(file.name.lastIndexOf('/') + 1) + "." + method.name();
    }

    private Assembler report() {
        return code().variable(Opcodes.ILOAD, variable).count("spend", "(I)V");
    }

    private Assembler code() {
        return new Assembler(file.pool);
    }
}
