package ludus.judge;

import java.util.ArrayList;
import java.util.List;

/** A method or a field as byte code names it. */
final class Member {
    final String owner;
    final String name;
    final String type;
    final boolean inInterface;

    Member(String owner, String name, String type, boolean inInterface) {
        this.owner = owner;
        this.name = name;
        this.type = type;
        this.inInterface = inInterface;
    }

    /** Returns the types of a method's arguments. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        int at = 1;
        while (type.charAt(at) != ')') {
            int end = at;
            while (type.charAt(end) == '[') {
                end++;
            }
            end = type.charAt(end) == 'L' ? type.indexOf(';', end) + 1 : end + 1;
            arguments.add(type.substring(at, end));
            at = end;
        }
        return arguments;
    }

    String result() {
        return type.substring(type.indexOf(')') + 1);
    }

    /** Returns the owner as a type. */
    String ownerType() {
        return owner.startsWith("[") ? owner : "L" + owner + ";";
    }

    @Override
    public String toString() {
        return owner.replace('/', '.') + "." + name;
    }
}
