package ludus.judge;

import java.util.Set;

/** What a judged class may name. Threads, reflection and loaders would lead around the counter. */
final class Rules {
    private static final Set<String> PACKAGES = Set.of("java/lang/", "java/util/", "java/util/function/",
            "java/util/stream/", "java/util/concurrent/atomic/", "java/io/", "java/nio/charset/", "java/text/",
            "engine/core/", "engine/helper/");
    private static final String COMPETITION = "ch/idsia/";
    private static final Set<String> REFUSED_CLASSES = Set.of("java/lang/Thread", "java/lang/ThreadGroup",
            "java/lang/ThreadLocal", "java/lang/InheritableThreadLocal", "java/lang/Runtime", "java/lang/Process",
            "java/lang/ProcessBuilder", "java/lang/ProcessHandle", "java/lang/ClassLoader", "java/lang/ClassValue",
            "java/lang/Module", "java/lang/ModuleLayer", "java/lang/Package", "java/lang/SecurityManager",
            "java/lang/StackWalker", "java/lang/VirtualThread", "java/util/Timer", "java/util/TimerTask",
            "java/util/ServiceLoader", "java/util/ResourceBundle", "java/util/SplittableRandom",
            "java/io/ObjectInputStream", "java/io/ObjectOutputStream", "java/io/ObjectInputFilter");
    private static final Set<String> SYSTEM = Set.of("arraycopy", "currentTimeMillis", "nanoTime", "identityHashCode",
            "lineSeparator", "out", "err", "getProperty", "getenv");
    private static final Set<String> CLASS = Set.of("desiredAssertionStatus", "getName", "getSimpleName", "toString",
            "hashCode", "equals", "isInstance", "cast", "getResourceAsStream", "getResource", "getEnumConstants",
            "isArray", "getSuperclass", "getComponentType");
    private static final Set<String> METHODS = Set.of("wait", "notify", "notifyAll", "matches", "replaceAll",
            "replaceFirst", "getDeclaringClass", "generate", "ints", "longs", "doubles", "getModule");
    private static final Set<String> BOOTSTRAPS = Set.of("java/lang/invoke/LambdaMetafactory",
            "java/lang/invoke/StringConcatFactory", "java/lang/runtime/ObjectMethods",
            "java/lang/runtime/SwitchBootstraps");

    private final ClassFile file;
    private final AgentClasses classes;

    Rules(ClassFile file, AgentClasses classes) {
        this.file = file;
        this.classes = classes;
    }

    /** Refuses a class that names what it may not. */
    void check() {
        ConstantPool pool = file.pool;
        for (int number = 1; number < pool.size(); number++) {
            int tag = pool.tag(number);
            if (tag == ConstantPool.CLASS) {
                checkClass(pool.name(number));
            } else if (tag >= ConstantPool.FIELD && tag <= ConstantPool.INTERFACE_METHOD) {
                checkMember(pool.member(number));
            } else if (tag == ConstantPool.DYNAMIC) {
                throw refuse("a constant that is computed");
            }
        }
        for (ClassFile.Method method : file.methods) {
            if ((method.access & ClassFile.NATIVE) != 0) {
                throw refuse("the native method " + method.name());
            }
            if (method.name().equals("finalize") && method.type().equals("()V")) {
                throw refuse("a finalizer");
            }
        }
        if (file.defines("size", "()I") && extendsCollection()) {
            throw refuse("a size of its own for a collection of the library");
        }
    }

    /** Returns whether it extends a collection that works without asking for its size. */
    private boolean extendsCollection() {
        String name = file.superName;
        while (isOwn(name)) {
            name = classes.find(name).superName;
        }
        return name.startsWith("java/util/") && !name.startsWith("java/util/Abstract");
    }

    private boolean isOwn(String name) {
        return classes.find(name) != null;
    }

    private void checkClass(String name) {
        String element = element(name);
        boolean lookup = element.startsWith("java/lang/invoke/") || element.startsWith("java/lang/runtime/");
        if (!element.isEmpty() && !lookup && !isOwn(element) && !isAllowed(element)) {
            throw refuse(element.replace('/', '.'));
        }
    }

    private void checkMember(Member member) {
        String owner = element(member.owner);
        if (owner.isEmpty() || isOwn(owner)) {
            return;
        }
        boolean bootstrap = BOOTSTRAPS.contains(owner);
        boolean allowed = bootstrap || isAllowed(owner);
        if (owner.equals("java/lang/System")) {
            allowed = SYSTEM.contains(member.name);
        } else if (owner.equals("java/lang/Class")) {
            allowed = CLASS.contains(member.name);
        } else if (owner.startsWith("java/")) {
            allowed &= !METHODS.contains(member.name) && !member.name.startsWith("parallel");
        }
        if (!allowed) {
            throw refuse(member.toString());
        }
    }

    private static boolean isAllowed(String name) {
        String outer = name.contains("$") ? name.substring(0, name.indexOf('$')) : name;
        boolean listed = PACKAGES.contains(outer.substring(0, outer.lastIndexOf('/') + 1));
        return (listed || outer.startsWith(COMPETITION)) && !REFUSED_CLASSES.contains(outer);
    }

    /** Returns the class of an array's elements; nothing if they are numbers. */
    private static String element(String name) {
        if (!name.startsWith("[")) {
            return name;
        }
        String inner = name.substring(name.lastIndexOf('[') + 1);
        return inner.startsWith("L") ? inner.substring(1, inner.length() - 1) : "";
    }

    private Refused refuse(String what) {
        return new Refused(file.name.replace('/', '.') + " uses " + what + ": a judged agent may not do this");
    }
}
