package ludus.judge;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The classes of an agent, rewritten so that they count. They are rewritten once, however often they are loaded. */
final class AgentClasses {
    private final ClassLoader files;
    private final Profile profile;
    private final Map<String, ClassFile> found = new HashMap<>();
    private final Map<String, byte[]> rewritten = new HashMap<>();

    /**
     * @param files finds the class files
     * @param profile where to count each block, or null
     */
    AgentClasses(ClassLoader files, Profile profile) {
        this.files = files;
        this.profile = profile;
    }

    /** Returns a class of the agent's as it was compiled, or null if the agent has none of this name. */
    ClassFile find(String name) {
        if (!found.containsKey(name)) {
            byte[] bytes = read(name);
            found.put(name, bytes == null ? null : new ClassFile(bytes));
        }
        return found.get(name);
    }

    /** Returns the bytes of a class that counts, or null if there is none. */
    byte[] rewrite(String name) {
        if (!rewritten.containsKey(name)) {
            byte[] bytes = read(name);
            rewritten.put(name, bytes == null ? null : rewrite(bytes));
        }
        return rewritten.get(name);
    }

    private byte[] rewrite(byte[] bytes) {
        ClassFile file = new ClassFile(bytes);
        new Rules(file, this).check();
        Calls calls = new Calls(file, this);
        for (ClassFile.Method method : file.methods) {
            if (method.code() != null) {
                new MethodJudge(file, method, calls, profile).rewrite();
            }
        }
        calls.judgeReferences();
        List<ClassFile.Method> bridges = new ArrayList<>(calls.bridges());
        file.methods.addAll(bridges);
        return file.toBytes();
    }

    /** Reads a class file; what Ludus has itself is none of the agent's, whatever lies beside it. */
    private byte[] read(String name) {
        String path = name + ".class";
        ClassLoader ours = AgentClasses.class.getClassLoader();
        if (name.startsWith("java/") || name.startsWith("ludus/") || ours.getResource(path) != null) {
            return null;
        }
        URL place = files.getResource(path);
        if (place == null) {
            return null;
        }
        try (InputStream in = place.openStream()) {
            return in.readAllBytes();
        } catch (IOException error) {
            throw new Refused("class " + name.replace('/', '.') + " cannot be read: " + error.getMessage());
        }
    }
}
