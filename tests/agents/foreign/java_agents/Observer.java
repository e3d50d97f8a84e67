package tests;

import engine.core.MarioAgent;
import engine.core.MarioForwardModel;
import engine.core.MarioTimer;
import java.io.FileWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Random;
import java.util.StringJoiner;

/** Asks for everything, now and some ticks ahead, and writes it down as test_java.py does. */
public class Observer implements MarioAgent {
    private static int games;

    private Random random;

    @Override
    public void initialize(MarioForwardModel model, MarioTimer timer) {
        random = new Random(7);
        games++;
        write("begin " + games, model);
    }

    @Override
    public boolean[] getActions(MarioForwardModel model, MarioTimer timer) {
        if (timer.getRemainingTime() > 40) {
            throw new IllegalStateException("a decision has 40 ms");
        }
        write("now", model);
        MarioForwardModel ahead = model.clone();
        for (int tick = 0; tick < 8; tick++) {
            ahead.advance(buttons(0b01010 | (tick < 5 ? 0b10000 : 0)));
            if (tick == 3) {
                ahead = ahead.clone();
            }
        }
        write("ahead", ahead);
        write("still", model);
        return buttons(random.nextInt(32) | 2);
    }

    @Override
    public String getAgentName() {
        return "observer";
    }

    private static boolean[] buttons(int sum) {
        boolean[] pressed = new boolean[5];
        for (int button = 0; button < pressed.length; button++) {
            pressed[button] = (sum >> button & 1) != 0;
        }
        return pressed;
    }

    private static void write(String title, MarioForwardModel m) {
        StringJoiner line = new StringJoiner(" ");
        line.add(title).add(m.getGameStatus().name());
        add(line, m.getRemainingTime(), m.getMarioMode(), m.getNumCollectedCoins(), m.getNumLives());
        add(line, m.getKillsTotal(), m.getKillsByFall(), m.getKillsByFire(), m.getKillsByShell());
        add(line, m.getKillsByStomp(), m.getNumCollectedMushrooms(), m.getNumCollectedFireflower(), m.getNumDestroyedBricks());
        add(line, m.isMarioOnGround() ? 1 : 0, m.mayMarioJump() ? 1 : 0, m.getMarioCanJumpHigher() ? 1 : 0);
        add(line, m.getMarioScreenTilePos());
        add(line, m.getCompletionPercentage());
        add(line, m.getLevelFloatDimensions());
        add(line, m.getMarioFloatPos());
        add(line, m.getMarioFloatVelocity());
        add(line, m.getEnemiesFloatPos());
        addGrids(line, m);
        try (FileWriter file = new FileWriter(System.getenv("OBSERVED"), true)) {
            file.write(line + "\n");
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static void addGrids(StringJoiner line, MarioForwardModel m) {
        add(line, m.getMarioSceneObservation());
        add(line, m.getMarioEnemiesObservation());
        add(line, m.getMarioCompleteObservation());
        add(line, m.getScreenSceneObservation());
        add(line, m.getScreenEnemiesObservation());
        add(line, m.getScreenCompleteObservation());
        for (int detail = 0; detail < 3; detail++) {
            add(line, m.getMarioSceneObservation(detail));
            add(line, m.getMarioEnemiesObservation(detail));
            add(line, m.getScreenSceneObservation(detail));
            add(line, m.getScreenEnemiesObservation(detail));
            for (int enemies = 0; enemies < 3; enemies++) {
                add(line, m.getMarioCompleteObservation(detail, enemies));
                add(line, m.getScreenCompleteObservation(detail, enemies));
            }
        }
    }

    private static void add(StringJoiner line, int... numbers) {
        for (int number : numbers) {
            line.add(Integer.toString(number));
        }
    }

    private static void add(StringJoiner line, float... numbers) {
        for (float number : numbers) {
            line.add(Integer.toHexString(Float.floatToIntBits(number)));
        }
    }

    private static void add(StringJoiner line, int[][] grid) {
        StringBuilder cells = new StringBuilder();
        for (int[] column : grid) {
            for (int cell : column) {
                cells.append(Character.forDigit(cell >> 4 & 15, 16)).append(Character.forDigit(cell & 15, 16));
            }
        }
        line.add(cells);
    }
}
