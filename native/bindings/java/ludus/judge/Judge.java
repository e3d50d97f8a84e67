package ludus.judge;

import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.List;

/**
 * Loads the classes of an agent so that they count their work, and says how much it was.
 *
 * <p>The count depends on the classes and on what they are asked, not on the machine that runs them.
 */
public final class Judge {
    private static long clock;

    private final URL place;
    private final Profile profile;
    private final AgentClasses classes;

    /**
     * Prepares to load.
     *
     * @param place the jar or the folder of the classes
     * @param profiles whether to find out where the units go
     */
    public Judge(URL place, boolean profiles) {
        this.place = place;
        this.profile = profiles ? new Profile() : null;
        this.classes = new AgentClasses(new URLClassLoader(new URL[] {place}, null), profile);
        Counter.setProfile(profile);
    }

    /** Returns a loader of classes that count, which has loaded none yet. */
    public ClassLoader newLoader() {
        return new Loader();
    }

    /**
     * Begins a call.
     *
     * @param units what it may use
     * @param clock the units after which timers of the agent's have run out, 0 if they show the time
     */
    public static void begin(long units, long clock) {
        Counter.begin(units);
        Judge.clock = clock;
    }

    /** Returns the share of the clock's units that is left, or -1 if timers show the time. */
    public static double clockLeft() {
        return clock == 0 ? -1 : Math.max(1 - Counter.used() / (double) clock, 0);
    }

    /** Returns the units that were used since the call began. */
    public static long used() {
        return Counter.used();
    }

    /** Returns where the units went, the dearest first: a line a block, with file, function, line, entries and units between tabs. */
    public List<String> profile() {
        return profile == null ? List.of() : profile.lines();
    }

    private final class Loader extends URLClassLoader {
        private final ProtectionDomain domain =
                new ProtectionDomain(new CodeSource(place, (Certificate[]) null), null, this, null);

        Loader() {
            super(new URL[] {place}, Judge.class.getClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes;
            try {
                bytes = classes.rewrite(name.replace('.', '/'));
            } catch (RuntimeException error) { // of whatever a forged file makes of its numbers
                throw new Refused("class " + name + " has a broken class file");
            }
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length, domain);
        }
    }
}
