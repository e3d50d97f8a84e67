package tests;

import engine.core.MarioAgent;
import engine.core.MarioForwardModel;
import engine.core.MarioTimer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;

/**
 * Plays the ticks of a file, and writes down every getter of its model before each of them.
 *
 * <p>A line of the file is the buttons of a tick. If it has three more words, they are a check: how often the
 * model is cloned, before which tick it is cloned once more, and what it is played ahead with.
 */
public class Observer implements MarioAgent {
    private static int games;

    private final boolean[] reused = new boolean[7]; // longer than an action need be
    private Iterator<String> script;

    @Override
    public void initialize(MarioForwardModel model, MarioTimer timer) {
        games++;
        try {
            script = Files.readAllLines(Path.of(System.getenv("SCRIPT"))).iterator();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
        write("begin games=" + games + " ", model);
    }

    @Override
    public boolean[] getActions(MarioForwardModel model, MarioTimer timer) {
        if (timer.getRemainingTime() > 40) {
            throw new IllegalStateException("a decision has 40 ms");
        }
        String[] words = script.next().split(" ");
        write("now ", model);
        if (words.length > 1) {
            write("ahead ", playAhead(model, words));
            if (Integer.parseInt(words[1]) > 0) { // otherwise it was the model itself that was played
                write("still ", model);
            }
        }
        press(Integer.parseInt(words[0]), reused);
        reused[5] = !reused[5];
        return reused;
    }

    @Override
    public String getAgentName() {
        return "observer";
    }

    private static MarioForwardModel playAhead(MarioForwardModel model, String[] words) {
        boolean[] buttons = new boolean[5];
        MarioForwardModel ahead = model;
        for (int clones = Integer.parseInt(words[1]); clones > 0; clones--) {
            ahead = ahead.clone();
        }
        String[] actions = words[3].split("\\.");
        for (int tick = 0; tick < actions.length; tick++) {
            if (tick == Integer.parseInt(words[2])) {
                ahead = ahead.clone();
            }
            press(Integer.parseInt(actions[tick]), buttons);
            ahead.advance(buttons);
        }
        return ahead;
    }

    private static void press(int sum, boolean[] buttons) {
        for (int button = 0; button < 5; button++) {
            buttons[button] = (sum >> button & 1) != 0;
        }
    }

    private static void write(String title, MarioForwardModel model) {
        try {
            String line = title + Getters.describe(model) + "\n";
            Files.writeString(
                    Path.of(System.getenv("OBSERVED")), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
