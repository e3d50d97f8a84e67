package ludus;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.nio.file.Paths;

/** The engine in C, which lies beside the jar of these classes. */
final class Library {
    private static final String NAME = "libludusjni.so";

    static {
        System.load(find().toString());
    }

    private Library() {}

    /** Makes sure that native methods have something behind them. */
    static void load() {}

    private static Path find() {
        try {
            Path jar = Paths.get(Library.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            return jar.resolveSibling(NAME).toAbsolutePath();
        } catch (URISyntaxException error) {
            throw new UnsatisfiedLinkError("no engine beside the jar of Ludus: " + error.getMessage());
        }
    }
}
