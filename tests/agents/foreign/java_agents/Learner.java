package tests;

import engine.core.MarioAgentEvent;
import engine.core.MarioEvent;
import engine.core.MarioResult;
import engine.helper.EventType;
import engine.helper.GameStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import ludus.Level;
import ludus.World;

/**
 * Plays worlds of its own, as a learner in Java does, and prints what became of each.
 *
 * <p>An argument is a file: mode and time limit, then the buttons of all ticks, then the rows of the level.
 */
public class Learner {
    public static void main(String[] arguments) throws IOException {
        for (String argument : arguments) {
            List<String> lines = Files.readAllLines(Path.of(argument));
            String[] start = lines.get(0).split(" ");
            String text = String.join("\n", lines.subList(2, lines.size()));
            Level level = Level.fromText(text, "framework", readKillEvents(start));
            World world = new World(level, Integer.parseInt(start[0]), Integer.parseInt(start[1]));
            for (String sum : lines.get(1).split(" ")) {
                world.step(press(Integer.parseInt(sum)));
            }
            print(world.result());
            checkThatItIsOver(world);
        }
    }

    private static MarioEvent[] readKillEvents(String[] start) {
        MarioEvent[] events = new MarioEvent[start.length / 2 - 1];
        for (int k = 0; k < events.length; k++) {
            EventType type = EventType.values()[Integer.parseInt(start[2 + 2 * k]) - 1];
            events[k] = new MarioEvent(type, Integer.parseInt(start[3 + 2 * k]));
        }
        return events;
    }

    private static void print(MarioResult r) {
        System.out.println("result status=" + r.getGameStatus().ordinal() + " completion=" + bits(r.getCompletionPercentage())
                + " remaining=" + r.getRemainingTime() + " mode=" + r.getMarioMode()
                + " killsTotal=" + r.getKillsTotal() + " fire=" + r.getKillsByFire() + " stomp=" + r.getKillsByStomp()
                + " shell=" + r.getKillsByShell() + " fall=" + r.getKillsByFall() + " hurts=" + r.getMarioNumHurts()
                + " bumpQ=" + r.getNumBumpQuestionBlock() + " bumpBrick=" + r.getNumBumpBrick()
                + " jumps=" + r.getNumJumps() + " maxXJump=" + bits(r.getMaxXJump())
                + " maxAir=" + r.getMaxJumpAirTime() + " lives=" + r.getCurrentLives()
                + " coins=" + r.getCurrentCoins() + " mushrooms=" + r.getNumCollectedMushrooms()
                + " flowers=" + r.getNumCollectedFireflower() + " tileCoins=" + r.getNumCollectedTileCoins()
                + " bricks=" + r.getNumDestroyedBricks() + " its=" + r.getAgentEvents().size());
        StringBuilder kills = new StringBuilder("kills");
        for (int kind = 0; kind < 17; kind++) {
            kills.append(' ').append(r.getMarioNumKills(kind));
        }
        System.out.println(kills);
        for (MarioEvent e : r.getGameEvents()) {
            System.out.println("event " + e.getEventType().getValue() + " " + e.getEventParam() + " "
                    + bits(e.getMarioX()) + " " + bits(e.getMarioY()) + " " + e.getMarioState() + " " + e.getTime());
        }
        for (MarioAgentEvent e : r.getAgentEvents()) {
            System.out.println("agent " + sum(e.getActions()) + " " + bits(e.getMarioX()) + " " + bits(e.getMarioY())
                    + " " + e.getMarioState() + " " + (e.getMarioOnGround() ? 1 : 0) + " " + e.getTime());
        }
    }

    private static void checkThatItIsOver(World world) {
        if (world.status() == GameStatus.RUNNING) {
            return;
        }
        try {
            world.step(new boolean[5]);
        } catch (IllegalStateException error) {
            return;
        }
        throw new AssertionError("a finished world was played");
    }

    private static long bits(float value) {
        return Integer.toUnsignedLong(Float.floatToIntBits(value));
    }

    private static boolean[] press(int sum) {
        boolean[] pressed = new boolean[5];
        for (int button = 0; button < pressed.length; button++) {
            pressed[button] = (sum >> button & 1) != 0;
        }
        return pressed;
    }

    private static int sum(boolean[] pressed) {
        int sum = 0;
        for (int button = 0; button < pressed.length; button++) {
            sum |= pressed[button] ? 1 << button : 0;
        }
        return sum;
    }
}
