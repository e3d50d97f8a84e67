package tests;

import engine.helper.GameStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import ludus.Level;
import ludus.World;

/** Steps a world of its own, as a learner in Java does, and prints where Mario goes. */
public class Learner {
    public static void main(String[] arguments) throws IOException {
        Level level = Level.fromText(new String(Files.readAllBytes(Paths.get(arguments[0]))), "framework");
        World world = new World(level, 1, 20);
        boolean[] right = {false, true, false, true, false};
        while (world.status() == GameStatus.RUNNING) {
            System.out.println(Integer.toHexString(Float.floatToIntBits(world.model().getMarioFloatPos()[0])));
            world.step(right);
        }
        System.out.println(world.status());
    }
}
