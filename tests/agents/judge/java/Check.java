import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import ludus.judge.Judge;

/**
 * Calls methods of a class, plain and judged, for the tests of the judge.
 *
 * <p>Arguments: the folder of the classes, then "same CLASS" to compare what all methods without arguments return,
 * "units CLASS METHOD BUDGET NUMBERS..." to count a call, "load CLASS" to see whether it is refused,
 * or "forge CLASS TIMES" to load it with wrong bytes.
 */
public final class Check {
    public static void main(String[] words) throws Exception {
        URL place = Paths.get(words[0]).toUri().toURL();
        for (String line : Arrays.asList(words).subList(1, words.length)) {
            String[] parts = line.split(" ");
            if (parts[0].equals("same")) {
                compare(place, parts[1]);
            } else if (parts[0].equals("forge")) {
                forge(place, parts[1].replace('.', '/'), Integer.parseInt(parts[2]));
            } else if (parts[0].equals("load")) {
                System.out.println(parts[1].substring("cheats.Cheats$".length()) + ": " + load(place, parts[1]));
            } else {
                System.out.println(line + ": " + count(place, parts));
            }
        }
    }

    private static String load(URL place, String name) throws Exception {
        try {
            Class.forName(name, true, new Judge(place, false).newLoader());
            return "loaded";
        } catch (LinkageError error) {
            return error.getMessage();
        }
    }

    /** Changes a byte of a class file here and there, and loads it. */
    private static void forge(URL place, String name, int times) throws Exception {
        Path original = Paths.get(place.toURI()).resolve(name + ".class");
        Path folder = Files.createTempDirectory(Paths.get(place.toURI()).getParent(), "forged");
        Path forged = folder.resolve(name + ".class");
        Files.createDirectories(forged.getParent());
        Random random = new Random(7);
        int refused = 0;
        int loaded = 0;
        int others = 0;
        for (int k = 0; k < times; k++) {
            byte[] bytes = Files.readAllBytes(original);
            bytes[10 + random.nextInt(bytes.length - 10)] = (byte) random.nextInt();
            Files.write(forged, bytes);
            try {
                Class.forName(name.replace('/', '.'), false, new Judge(folder.toUri().toURL(), false).newLoader());
                loaded++;
            } catch (LinkageError error) {
                refused++;
            } catch (Throwable error) {
                error.printStackTrace();
                others++;
            }
        }
        System.out.println("forged " + refused + " refused, " + loaded + " loaded, others " + others);
    }

    private static void compare(URL place, String name) throws Exception {
        Class<?> plain = Class.forName(name, true, new URLClassLoader(new URL[] {place}));
        Method[] methods = plain.getMethods();
        Arrays.sort(methods, Comparator.comparing(Method::getName));
        Class<?> judged = Class.forName(name, true, new Judge(place, false).newLoader());
        Judge judge = new Judge(place, true);
        Class<?> profiled = Class.forName(name, true, judge.newLoader());
        for (Method method : methods) {
            if (method.getDeclaringClass() == plain && method.getParameterCount() == 0) {
                Object expected = method.invoke(null);
                long first = units(judged, method.getName(), expected);
                for (int repeat = 0; repeat < 3; repeat++) { units(profiled, method.getName(), null); }
                long again = units(profiled, method.getName(), null);
                long once = units(judged, method.getName(), null);
                System.out.println(method.getName() + " " + first + (again == once ? " alike" : " " + again + " " + once));
            }
        }
        System.out.println(judge.profile().size() > 0);
    }

    private static long units(Class<?> judged, String name, Object expected) throws Exception {
        Judge.begin(1L << 40, 0);
        Object result = judged.getMethod(name).invoke(null);
        long units = Judge.used();
        if (expected != null && !result.equals(expected)) {
            throw new AssertionError(name + ": " + result + " instead of " + expected);
        }
        return units;
    }

    private static String count(URL place, String[] parts) throws Exception {
        Class<?> judged = Class.forName(parts[1], true, new Judge(place, false).newLoader());
        Object[] numbers = Arrays.stream(parts).skip(4).map(Integer::valueOf).toArray();
        Class<?>[] types = new Class<?>[numbers.length];
        Arrays.fill(types, int.class);
        Judge.begin(Long.parseLong(parts[3]), 0);
        String ended = "";
        try {
            judged.getMethod(parts[2], types).invoke(null, numbers);
        } catch (InvocationTargetException error) {
            ended = " " + error.getCause().getMessage();
        }
        return Judge.used() + ended;
    }
}
