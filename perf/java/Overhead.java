import engine.core.MarioForwardModel;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Comparator;
import ludus.Level;
import ludus.World;
import ludus.judge.Judge;

/**
 * Times each piece of work plain and judged in turn, and prints its name, its units and the best times in ns.
 *
 * <p>Arguments: the folder of the pieces, a file with a level, the size of the work, and how often to repeat it.
 */
public final class Overhead {
    private static final int WARM = 200_000_000; // ns for each to be compiled

    public static void main(String[] words) throws Exception {
        URL place = Paths.get(words[0]).toUri().toURL();
        Judge.begin(Long.MAX_VALUE, 0);
        ClassLoader plain = new URLClassLoader(new URL[] {place});
        ClassLoader judged = new Judge(place, false).newLoader();
        int size = Integer.parseInt(words[2]);
        int repeats = Integer.parseInt(words[3]);
        Level level = Level.fromText(Files.readString(Paths.get(words[1])), "framework");
        MarioForwardModel model = new World(level, 0, 40).model();
        Method[] methods = plain.loadClass("Programs").getDeclaredMethods();
        Arrays.sort(methods, Comparator.comparing(Method::getName));
        for (Method method : methods) {
            if (method.getName().indexOf('$') < 0 && (method.getModifiers() & 1) != 0) {
                Method other = judged.loadClass("Programs").getMethod(method.getName(), int.class);
                measure(method, other, repeats, size);
            }
        }
        Class<?>[] types = {MarioForwardModel.class, int.class};
        measure(plain.loadClass("Lookahead").getMethod("plan", types),
                judged.loadClass("Lookahead").getMethod("plan", types), repeats, model, size);
    }

    private static void measure(Method plain, Method judged, int repeats, Object... arguments) throws Exception {
        Judge.begin(Long.MAX_VALUE, 0);
        Object result = judged.invoke(null, arguments);
        long units = Judge.used();
        if (!result.equals(plain.invoke(null, arguments))) {
            throw new AssertionError(plain.getName() + " gives another result when it is judged");
        }
        warm(plain, arguments);
        warm(judged, arguments);
        long[] best = {Long.MAX_VALUE, Long.MAX_VALUE};
        for (int k = 0; k < repeats; k++) {
            best[0] = Math.min(best[0], time(plain, arguments));
            best[1] = Math.min(best[1], time(judged, arguments));
        }
        System.out.println(plain.getName() + " " + units + " " + best[0] + " " + best[1]);
    }

    private static void warm(Method method, Object... arguments) throws Exception {
        Judge.begin(Long.MAX_VALUE, 0);
        long end = System.nanoTime() + WARM;
        while (System.nanoTime() < end) {
            method.invoke(null, arguments);
        }
    }

    private static long time(Method method, Object... arguments) throws Exception {
        Judge.begin(Long.MAX_VALUE, 0);
        long start = System.nanoTime();
        method.invoke(null, arguments);
        return System.nanoTime() - start;
    }
}
