package ludus.judge;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A class file, taken apart down to the attributes of its methods. */
final class ClassFile {
    private static final int MAGIC = 0xCAFEBABE;
    static final int STATIC = 0x0008, NATIVE = 0x0100, INTERFACE = 0x0200;

    final ConstantPool pool;
    final int access;
    final String name;
    final String superName;
    final List<Method> methods = new ArrayList<>();
    final List<Attribute> attributes;

    private final int version;
    private final byte[] head;
    private final byte[] fields;

    ClassFile(byte[] bytes) {
        ByteBuffer file = ByteBuffer.wrap(bytes);
        if (file.getInt() != MAGIC) {
            throw new Refused("a file of the agent is no class file");
        }
        version = file.getInt();
        pool = new ConstantPool(file);
        int start = file.position();
        access = file.getShort();
        name = pool.name(file.getShort() & 0xFFFF);
        int superClass = file.getShort() & 0xFFFF;
        superName = superClass == 0 ? null : pool.name(superClass);
        file.position(file.position() + 2 + 2 * file.getShort(file.position()));
        head = slice(bytes, start, file.position());
        start = file.position();
        for (int count = file.getShort() & 0xFFFF; count > 0; count--) {
            file.position(file.position() + 6);
            readAttributes(file);
        }
        fields = slice(bytes, start, file.position());
        for (int count = file.getShort() & 0xFFFF; count > 0; count--) {
            methods.add(new Method(file));
        }
        attributes = readAttributes(file);
    }

    /** Returns the version of Java that it was compiled for: 52 is Java 8. */
    int major() {
        return version & 0xFFFF;
    }

    boolean isInterface() {
        return (access & INTERFACE) != 0;
    }

    boolean defines(String method, String type) {
        return methods.stream().anyMatch(one -> one.name().equals(method) && one.type().equals(type));
    }

    /** Returns the last part of the file that it was compiled from, or of its own name. */
    String source() {
        for (Attribute attribute : attributes) {
            if (attribute.name().equals("SourceFile")) {
                return pool.text(ByteBuffer.wrap(attribute.content).getShort() & 0xFFFF);
            }
        }
        return name.substring(name.lastIndexOf('/') + 1);
    }

    byte[] toBytes() {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream rest = new DataOutputStream(body); DataOutputStream out = new DataOutputStream(bytes)) {
            rest.writeShort(methods.size());
            for (Method method : methods) {
                method.write(rest);
            }
            writeAttributes(rest, attributes);
            out.writeInt(MAGIC);
            out.writeInt(version);
            pool.write(out);
            out.write(head);
            out.write(fields);
            body.writeTo(out);
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
        return bytes.toByteArray();
    }

    List<Attribute> readAttributes(ByteBuffer file) {
        List<Attribute> read = new ArrayList<>();
        for (int count = file.getShort() & 0xFFFF; count > 0; count--) {
            int attribute = file.getShort() & 0xFFFF;
            int length = file.getInt();
            if (length < 0 || length > file.remaining()) {
                throw new Refused("a class file ends too early");
            }
            byte[] content = new byte[length];
            file.get(content);
            read.add(new Attribute(attribute, content));
        }
        return read;
    }

    static void writeAttributes(DataOutputStream out, List<Attribute> attributes) throws IOException {
        out.writeShort(attributes.size());
        for (Attribute attribute : attributes) {
            out.writeShort(attribute.number);
            out.writeInt(attribute.content.length);
            out.write(attribute.content);
        }
    }

    private static byte[] slice(byte[] bytes, int start, int end) {
        return java.util.Arrays.copyOfRange(bytes, start, end);
    }

    /** A name and bytes. */
    final class Attribute {
        private final int number;
        byte[] content;

        Attribute(int number, byte[] content) {
            this.number = number;
            this.content = content;
        }

        String name() {
            return pool.text(number);
        }
    }

    /** A method with its attributes. */
    final class Method {
        final int access;
        final List<Attribute> attributes;
        private final int nameNumber;
        private final int typeNumber;

        private Method(ByteBuffer file) {
            access = file.getShort();
            nameNumber = file.getShort() & 0xFFFF;
            typeNumber = file.getShort() & 0xFFFF;
            attributes = readAttributes(file);
        }

        /** Makes a method of its own, with code. */
        Method(int access, String name, String type, byte[] code) {
            this.access = access;
            this.nameNumber = pool.addText(name);
            this.typeNumber = pool.addText(type);
            this.attributes = List.of(new Attribute(pool.addText("Code"), code));
        }

        String name() {
            return pool.text(nameNumber);
        }

        String type() {
            return pool.text(typeNumber);
        }

        boolean isStatic() {
            return (access & STATIC) != 0;
        }

        /** Returns its code, or null if it has none. */
        Attribute code() {
            return attributes.stream().filter(one -> one.name().equals("Code")).findFirst().orElse(null);
        }

        private void write(DataOutputStream out) throws IOException {
            out.writeShort(access);
            out.writeShort(nameNumber);
            out.writeShort(typeNumber);
            writeAttributes(out, attributes);
        }
    }
}
