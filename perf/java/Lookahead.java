import engine.core.MarioForwardModel;
import engine.helper.GameStatus;
import java.util.ArrayList;
import java.util.List;

/** Plays ahead on the engine, as planners of the framework do. */
public final class Lookahead {
    private static final boolean[][] CHOICES = {
        {false, true, false, true, false}, {false, true, false, true, true}, {false, true, false, false, false},
    };

    private Lookahead() {}

    public static double plan(MarioForwardModel start, int size) {
        List<MarioForwardModel> open = new ArrayList<>();
        open.add(start);
        double best = 0;
        for (int node = 0; node < 5 * size && node < open.size(); node++) {
            for (boolean[] choice : CHOICES) {
                MarioForwardModel ahead = open.get(node).clone();
                for (int tick = 0; tick < 3; tick++) {
                    ahead.advance(choice);
                }
                if (ahead.getGameStatus() == GameStatus.RUNNING) {
                    open.add(ahead);
                }
                best = Math.max(best, ahead.getMarioFloatPos()[0]);
            }
        }
        return best;
    }
}
