package ludus.judge;

import java.util.Set;

/** The published costs, in units: of every instruction, and of calls into the library and the engine. */
final class Costs {
    static final int ARITHMETIC = 2, BRANCH = 2, SWITCH = 3, ACCESS = 2, CALL = 6, MAKE = 10, LOCK = 10, THROW = 8;
    static final int QUICK = 4, LIBRARY = 20;
    static final int TICK = 60, COPY = 150, GRID = 332, ENEMIES = 300, GETTER = 20;

    /** How the size of what a call works on is charged. */
    enum Size { NONE, EACH, SORT, PRODUCT, DEEP, WAY }

    private static final Set<String> QUICK_CLASSES = Set.of("Math", "StrictMath", "Integer", "Long", "Double", "Float",
            "Boolean", "Character", "Byte", "Short", "Number", "Enum", "Object", "Class", "Throwable");
    private static final Set<String> QUICK_METHODS = Set.of("get", "put", "set", "size", "isEmpty", "length", "charAt",
            "getOrDefault", "merge", "putIfAbsent", "computeIfAbsent", "compute", "computeIfPresent", "containsKey", "hasNext", "next", "iterator", "peek", "poll", "pop", "push", "offer",
            "addLast", "addFirst", "pollFirst", "pollLast", "peekFirst", "peekLast", "removeFirst", "removeLast",
            "getFirst", "getLast", "nextInt", "nextDouble", "nextBoolean", "nextFloat", "nextLong", "nextGaussian",
            "getKey", "getValue", "setValue", "nanoTime", "currentTimeMillis", "apply", "applyAsInt", "applyAsDouble",
            "applyAsLong", "accept", "test", "compare", "compareTo", "run", "isPresent", "ordinal", "name", "setLength",
            "getMessage", "keySet", "values", "entrySet", "requireNonNull", "emptyList", "flip", "getAndIncrement",
            "incrementAndGet");
    private static final Set<String> SORTS = Set.of("sort", "sorted", "shuffle", "stableSort");
    private static final Set<String> PRODUCTS = Set.of("removeAll", "retainAll", "containsAll", "disjoint");
    private static final Set<String> ENGINES = Set.of("engine/", "ch/idsia/");

    private Costs() {}

    /** Returns what an instruction costs by itself. */
    static int of(int opcode) {
        if (opcode >= 46 && opcode <= 53 || opcode >= 79 && opcode <= 86 || opcode >= 178 && opcode <= 181) {
            return ACCESS;
        }
        if (opcode >= 96 && opcode <= 131 || opcode == Opcodes.IINC || opcode >= 148 && opcode <= 152) {
            return ARITHMETIC;
        }
        if (Opcodes.isInvoke(opcode)) {
            return CALL;
        }
        switch (opcode) {
            case Opcodes.TABLESWITCH: case Opcodes.LOOKUPSWITCH:
                return SWITCH;
            case Opcodes.NEW: case Opcodes.NEWARRAY: case Opcodes.ANEWARRAY: case Opcodes.MULTIANEWARRAY:
                return MAKE;
            case Opcodes.ATHROW:
                return THROW;
            case 194: case Opcodes.MONITOREXIT:
                return LOCK;
            default:
                boolean jump = opcode == Opcodes.GOTO || opcode == Opcodes.GOTO_W;
                return Opcodes.isBranch(opcode) && !jump ? BRANCH : 1;
        }
    }

    /** Returns what a call of a method that is not the agent's costs besides the call, sizes left out. */
    static int of(Member method) {
        if (ENGINES.stream().anyMatch(method.owner::startsWith)) {
            return ofEngine(method.name);
        }
        return size(method) == Size.NONE ? QUICK : LIBRARY;
    }

    private static int ofEngine(String name) {
        if (name.equals("advance")) {
            return TICK;
        }
        if (name.equals("clone")) {
            return COPY;
        }
        if (name.endsWith("Observation")) {
            return GRID;
        }
        return name.equals("getEnemiesFloatPos") ? ENEMIES : GETTER;
    }

    /** Returns how the sizes are charged of what a method works on that is not the agent's. */
    static Size size(Member method) {
        String owner = method.owner;
        String last = owner.substring(owner.lastIndexOf('/') + 1);
        if (ENGINES.stream().anyMatch(owner::startsWith) || isQuickClass(owner, last, method.name)) {
            return Size.NONE;
        }
        if (SORTS.contains(method.name)) {
            return Size.SORT;
        }
        if (PRODUCTS.contains(method.name)) {
            return Size.PRODUCT;
        }
        if (method.name.startsWith("deep")) {
            return Size.DEEP;
        }
        if (method.arguments().equals(java.util.List.of("I")) && method.name.equals("get") && !last.equals("ArrayList")
                || method.name.equals("set") && method.type.startsWith("(IL") && !last.equals("ArrayList")) {
            return Size.WAY;
        }
        return isQuick(method, last) ? Size.NONE : Size.EACH;
    }

    private static boolean isQuickClass(String owner, String last, String name) {
        boolean walks = name.equals("toString") || name.startsWith("parse") || name.equals("equals")
                || name.equals("hashCode") || name.equals("clone") || name.equals("decode");
        return owner.startsWith("java/lang/") && QUICK_CLASSES.contains(last) && !walks;
    }

    private static boolean isQuick(Member method, String last) {
        if (method.name.equals("append")) {
            return !method.type.startsWith("(L") && !method.type.startsWith("([");
        }
        boolean ofOne = method.arguments().size() == 1;
        boolean hashed = last.contains("Set") || last.contains("Queue") || last.contains("Map");
        switch (method.name) {
            case "add":
                return ofOne;
            case "remove": case "contains":
                return ofOne && hashed && !last.contains("Queue") || method.arguments().isEmpty();
            case "valueOf":
                return !last.equals("String");
            default:
                return QUICK_METHODS.contains(method.name) && !last.equals("BigInteger");
        }
    }
}
