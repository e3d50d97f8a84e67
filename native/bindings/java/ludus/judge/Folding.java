package ludus.judge;

import java.util.HashMap;
import java.util.Map;

/**
 * Charges small blocks with the block they stand in, so that fewer blocks have to count.
 *
 * <p>A block is small up to so many units. It is folded into the block before a branch if it is reached from there
 * alone, taken or not. What follows both ways of a branch is folded whatever it costs.
 */
final class Folding {
    static final int SMALL = 12;
    static final int MOST_SMALL = 36;

    private final Code code;
    private final int[] costs;
    private final Map<Integer, Integer> owners = new HashMap<>();
    private final Map<Integer, Integer> folded = new HashMap<>(); // small units that an owner is charged for
    private final Map<Integer, Integer> jumpsInto = new HashMap<>();
    private final Map<Integer, Integer> jumpFrom = new HashMap<>(); // the block of the last branch to a block

    /**
     * @param code the code
     * @param costs what each block costs, by where it begins; changed
     */
    Folding(Code code, int[] costs) {
        this.code = code;
        this.costs = costs;
    }

    void fold() {
        for (int block = 0; block >= 0; block = code.blocks.nextSetBit(block + 1)) {
            owners.put(block, block);
            countJumps(block);
        }
        for (int block = code.blocks.nextSetBit(1); block >= 0; block = code.blocks.nextSetBit(block + 1)) {
            if (!code.caught.get(block) && !code.loops.get(block)) {
                fold(block);
            }
        }
    }

    private void countJumps(int block) {
        int last = last(block);
        if (Opcodes.isSwitch(code.opcode(last))) {
            for (int entry : Opcodes.switchEntries(code.bytes, last)) {
                jumpsInto.merge(last + Opcodes.intAt(code.bytes, entry), MOST_SMALL, Integer::sum);
            }
        } else if (Opcodes.isBranch(code.opcode(last))) {
            int target = Opcodes.target(code.bytes, last);
            jumpsInto.merge(target, 1, Integer::sum);
            jumpFrom.put(target, block);
        }
    }

    private void fold(int block) {
        int before = code.blocks.previousSetBit(block - 1);
        boolean falls = !Opcodes.endsFlow(code.opcode(last(before)));
        int jumps = jumpsInto.getOrDefault(block, 0);
        if (jumps > 1 || jumps == 0 && !falls || code.unlocking.get(before)) {
            return;
        }
        int owner = owners.get(falls ? before : jumpFrom.get(block));
        if (jumps == 1 && owners.get(jumpFrom.get(block)) != owner) {
            return;
        }
        if (jumps == 1 && falls && isJoin(block, before)) {
            charge(owner, block);
        } else if (costs[block] <= SMALL && folded.getOrDefault(owner, 0) + costs[block] <= MOST_SMALL) {
            folded.merge(owner, costs[block], Integer::sum);
            charge(owner, block);
        }
    }

    /** Returns whether a block follows both ways of a branch: the one that jumps to it and the one before it. */
    private boolean isJoin(int block, int before) {
        int from = jumpFrom.get(block);
        boolean then = code.blocks.nextSetBit(from + 1) == before && isConditional(from) && !isConditional(before);
        boolean other = code.blocks.nextSetBit(from + 1) == before && code.opcode(last(from)) == Opcodes.GOTO
                && jumpsInto.getOrDefault(before, 0) == 1 && !isConditional(before)
                && code.blocks.nextSetBit(jumpFrom.get(before) + 1) == from && isConditional(jumpFrom.get(before));
        return then || other;
    }

    private boolean isConditional(int block) {
        int opcode = code.opcode(last(block));
        return Opcodes.isBranch(opcode) && opcode != Opcodes.GOTO && opcode != Opcodes.GOTO_W;
    }

    private void charge(int owner, int block) {
        costs[owner] += costs[block];
        costs[block] = 0;
        owners.put(block, owner);
    }

    /** Returns the last instruction of a block. */
    private int last(int block) {
        int next = code.blocks.nextSetBit(block + 1);
        return code.instructions.previousSetBit((next < 0 ? code.bytes.length : next) - 1);
    }
}
