package ludus;

import java.lang.reflect.Constructor;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Paths;

/** The class of an agent, in a jar or a folder of classes. The interfaces come from here, whatever lies there. */
final class AgentClass {
    private final URL place;
    private final String name;

    AgentClass(String path, String name) throws MalformedURLException {
        this.place = Paths.get(path).toUri().toURL();
        this.name = name;
    }

    /** Returns a new agent of newly loaded classes. */
    Object load() throws ReflectiveOperationException {
        ClassLoader loader = new URLClassLoader(new URL[] {place}, AgentClass.class.getClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        Constructor<?> constructor = Class.forName(name, true, loader).getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }
}
