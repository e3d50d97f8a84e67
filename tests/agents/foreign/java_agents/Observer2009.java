package tests;

import ch.idsia.ai.agents.ai.BasicAIAgent;
import ch.idsia.mario.engine.sprites.Mario;
import ch.idsia.mario.environments.Environment;
import java.io.FileWriter;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Jumps forward as the competition's agent did, and writes down everything that it sees. */
public class Observer2009 extends BasicAIAgent {
    private int resets;

    public Observer2009() {
        super("observer 2009");
    }

    @Override
    public void reset() {
        super.reset();
        resets++;
        action[Mario.KEY_RIGHT] = true;
    }

    @Override
    public boolean[] getAction(Environment seen) {
        boolean jump = seen.mayMarioJump() || !seen.isMarioOnGround();
        action[Mario.KEY_JUMP] = jump;
        action[Mario.KEY_SPEED] = jump;
        write(seen);
        return action;
    }

    private void write(Environment seen) {
        StringBuilder line = new StringBuilder();
        line.append(resets).append(' ').append(seen.getMarioMode());
        line.append(' ').append(seen.isMarioOnGround() ? 1 : 0);
        line.append(' ').append(seen.mayMarioJump() ? 1 : 0);
        line.append(' ').append(seen.isMarioCarrying() ? 1 : 0);
        add(line, seen.getMarioFloatPos());
        add(line, seen.getEnemiesFloatPos());
        add(line, seen.getBitmapLevelObservation());
        add(line, seen.getBitmapEnemiesObservation());
        add(line, seen.getLevelSceneObservation());
        add(line, seen.getEnemiesObservation());
        add(line, seen.getCompleteObservation());
        for (int detail = 0; detail < 3; detail++) {
            add(line, seen.getLevelSceneObservation(detail));
            add(line, seen.getEnemiesObservation(detail));
            add(line, seen.getCompleteObservation(detail, 2 - detail));
        }
        try (FileWriter file = new FileWriter(System.getenv("OBSERVED"), true)) {
            file.write(line + "\n");
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static void add(StringBuilder line, float[] numbers) {
        for (float number : numbers) {
            line.append(' ').append(Integer.toHexString(Float.floatToIntBits(number)));
        }
    }

    private static void add(StringBuilder line, String packed) {
        line.append(' ');
        for (char character : packed.toCharArray()) {
            line.append(String.format("%04x", (int) character));
        }
    }

    private static void add(StringBuilder line, byte[][] grid) {
        line.append(' ');
        for (byte[] row : grid) {
            for (byte cell : row) {
                line.append(Character.forDigit(cell >> 4 & 15, 16)).append(Character.forDigit(cell & 15, 16));
            }
        }
    }
}
