package ludus;

import java.lang.reflect.Constructor;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Paths;
import ludus.judge.Judge;

/** The class of an agent, in a jar or a folder of classes. The interfaces come from here, whatever lies there. */
final class AgentClass {
    private final URL place;
    private final String name;
    private Judge judge;

    AgentClass(String path, String name) throws MalformedURLException {
        this.place = Paths.get(path).toUri().toURL();
        this.name = name;
    }

    /** Lets the classes that are loaded from now on count their work; returns who counts. */
    Judge judge(boolean profiles) {
        judge = new Judge(place, profiles);
        return judge;
    }

    /** Returns a new agent of newly loaded classes. */
    Object load() throws ReflectiveOperationException {
        ClassLoader loader = newLoader();
        Thread.currentThread().setContextClassLoader(loader);
        Constructor<?> constructor = Class.forName(name, true, loader).getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    private ClassLoader newLoader() {
        if (judge != null) {
            return judge.newLoader();
        }
        return new URLClassLoader(new URL[] {place}, AgentClass.class.getClassLoader());
    }
}
