package tests;

import engine.core.MarioForwardModel;
import java.util.Arrays;
import ludus.Level;
import ludus.World;

/** Prints what grids show at a detail that nobody knows, after some ticks in a level of its own. */
public class OddDetail {
    public static void main(String[] arguments) {
        World world = new World(Level.fromText("M1-g-\nXX2oF", "framework"), 0, 0);
        MarioForwardModel model = world.model();
        print(model.getMarioSceneObservation(7));
        print(model.getMarioEnemiesObservation(-1));
        print(model.getMarioCompleteObservation(3, 0));
        print(model.getMarioCompleteObservation(1, 3));
    }

    private static void print(int[][] grid) {
        StringBuilder line = new StringBuilder();
        for (int column = 8; column < 13; column++) {
            line.append(Arrays.toString(Arrays.copyOfRange(grid[column], 7, 11)));
        }
        System.out.println(line);
    }
}
