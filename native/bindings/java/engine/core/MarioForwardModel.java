package engine.core;

import engine.helper.GameStatus;
import ludus.Buttons;
import ludus.Level;

/**
 * The game as it is now, to look at and to play ahead in; the real game never changes through it.
 *
 * <p>Grids are 16 × 16, indexed [column][row]. Those around Mario have him at [8][8]; those of the screen show
 * all of it. Scenes have a detail of 0 (finest) to 2, 1 unless it is given; enemies likewise, 0 unless given.
 */
public class MarioForwardModel {
    // What scenes show, at detail 0 or 1.
    public static final int OBS_NONE = 0;
    public static final int OBS_UNDEF = -42;
    public static final int OBS_SOLID = 17;
    public static final int OBS_PYRAMID_SOLID = 18;
    public static final int OBS_BULLET_BILL_HEAD = 19;
    public static final int OBS_BULLET_BILL_NECT = 20;
    public static final int OBS_BULLET_BILL_BODY = 21;
    public static final int OBS_CANNON = 19;
    public static final int OBS_BRICK = 22;
    public static final int OBS_QUESTION_BLOCK = 24;
    public static final int OBS_USED_BLOCK = 30;
    public static final int OBS_COIN = 31;
    public static final int OBS_PIPE = 34;
    public static final int OBS_PIPE_TOP_LEFT = 34;
    public static final int OBS_PIPE_TOP_RIGHT = 35;
    public static final int OBS_PIPE_BODY_LEFT = 36;
    public static final int OBS_PIPE_BODY_RIGHT = 37;
    public static final int OBS_PLATFORM = 59;
    public static final int OBS_PLATFORM_SINGLE = 59;
    public static final int OBS_PLATFORM_LEFT = 60;
    public static final int OBS_PLATFORM_RIGHT = 61;
    public static final int OBS_PLATFORM_CENTER = 62;
    public static final int OBS_BACKGROUND = 63;

    // What they show at detail 2.
    public static final int OBS_SCENE_OBJECT = 100;

    // Kinds of sprites.
    public static final int OBS_GOOMBA = 2;
    public static final int OBS_GOOMBA_WINGED = 3;
    public static final int OBS_RED_KOOPA = 4;
    public static final int OBS_RED_KOOPA_WINGED = 5;
    public static final int OBS_GREEN_KOOPA = 6;
    public static final int OBS_GREEN_KOOPA_WINGED = 7;
    public static final int OBS_SPIKY = 8;
    public static final int OBS_SPIKY_WINGED = 9;
    public static final int OBS_BULLET_BILL = 10;
    public static final int OBS_ENEMY_FLOWER = 11;
    public static final int OBS_MUSHROOM = 12;
    public static final int OBS_FIRE_FLOWER = 13;
    public static final int OBS_SHELL = 14;
    public static final int OBS_LIFE_MUSHROOM = 15;
    public static final int OBS_FIREBALL = 16;

    // What enemies show: groups at detail 0 and 1, whether there is one at detail 2.
    public static final int OBS_STOMPABLE_ENEMY = 2;
    public static final int OBS_NONSTOMPABLE_ENEMY = 8;
    public static final int OBS_SPECIAL_ITEM = 12;
    public static final int OBS_ENEMY = 1;

    private static final int SIZE = 16;
    private static final int SCENE_DETAIL = 1;
    private static final int ENEMY_DETAIL = 0;
    private static final int X = 0, Y = 1, SPEED_X = 2, SPEED_Y = 3, COMPLETION = 4, MOTION = 5;

    /** How many columns and rows grids have. */
    public final int obsGridWidth = SIZE, obsGridHeight = SIZE;

    private final Level level;
    private long[] image;

    /**
     * Wraps a model that nobody else holds.
     *
     * @param level the level
     * @param image the world, which is this model's from now on
     */
    public MarioForwardModel(Level level, long[] image) {
        this.level = level;
        this.image = image;
    }

    /** Returns a model that goes on from here by itself; its counters begin with what these have counted. */
    @Override
    public MarioForwardModel clone() {
        level.checkPlaysAhead();
        long[] copy = image.clone();
        level.becomeModel(copy, true);
        return new MarioForwardModel(level, copy);
    }

    /** Plays one tick with these buttons. */
    public void advance(boolean[] actions) {
        level.checkPlaysAhead();
        image = level.step(image, Buttons.sum(actions));
    }

    // ---- the game

    public GameStatus getGameStatus() {
        return GameStatus.values()[level.number(image, Level.STATUS)];
    }

    /** Returns Mario's x over that of the exit. */
    public float getCompletionPercentage() {
        return motion()[COMPLETION];
    }

    /** Returns width and height of the level in pixels. */
    public float[] getLevelFloatDimensions() {
        return new float[] {
            SIZE * level.number(image, Level.LEVEL_WIDTH), SIZE * level.number(image, Level.LEVEL_HEIGHT)
        };
    }

    /** Returns what is left on the clock, 1000 a second. */
    public int getRemainingTime() {
        return level.number(image, Level.TIMER);
    }

    // ---- Mario

    public float[] getMarioFloatPos() {
        float[] motion = motion();
        return new float[] {motion[X], motion[Y]};
    }

    public float[] getMarioFloatVelocity() {
        float[] motion = motion();
        return new float[] {motion[SPEED_X], motion[SPEED_Y]};
    }

    /** Returns whether holding JUMP still lifts him. */
    public boolean getMarioCanJumpHigher() {
        return level.number(image, Level.JUMP_TIME) > 0;
    }

    /** Returns 0 for small, 1 for large, 2 for fire. */
    public int getMarioMode() {
        return level.number(image, Level.MODE);
    }

    public boolean isMarioOnGround() {
        return level.number(image, Level.ON_GROUND) != 0;
    }

    public boolean mayMarioJump() {
        return level.number(image, Level.MAY_JUMP) != 0;
    }

    /** Returns column and row of Mario's tile on the screen. */
    public int[] getMarioScreenTilePos() {
        return new int[] {level.number(image, Level.SCREEN_COLUMN), level.number(image, Level.SCREEN_ROW)};
    }

    /** Returns kind, x and y of every enemy, one after the other. */
    public float[] getEnemiesFloatPos() {
        return level.enemies(image);
    }

    // ---- what was counted: kills, items and bricks since the agent was handed a model, coins and lives in all

    public int getKillsTotal() {
        return getKillsByFall() + getKillsByFire() + getKillsByShell() + getKillsByStomp();
    }

    public int getKillsByFall() {
        return level.number(image, Level.KILLS_BY_FALL);
    }

    public int getKillsByFire() {
        return level.number(image, Level.KILLS_BY_FIRE);
    }

    public int getKillsByShell() {
        return level.number(image, Level.KILLS_BY_SHELL);
    }

    public int getKillsByStomp() {
        return level.number(image, Level.KILLS_BY_STOMP);
    }

    public int getNumLives() {
        return level.number(image, Level.LIVES);
    }

    public int getNumCollectedMushrooms() {
        return level.number(image, Level.MUSHROOMS);
    }

    public int getNumCollectedFireflower() {
        return level.number(image, Level.FLOWERS);
    }

    public int getNumCollectedCoins() {
        return level.number(image, Level.COINS);
    }

    public int getNumDestroyedBricks() {
        return level.number(image, Level.BROKEN_BRICKS);
    }

    // ---- grids

    public int[][] getMarioSceneObservation() {
        return getMarioSceneObservation(SCENE_DETAIL);
    }

    public int[][] getMarioSceneObservation(int detail) {
        return grid(Level.SCENE, detail, ENEMY_DETAIL, false);
    }

    public int[][] getMarioEnemiesObservation() {
        return getMarioEnemiesObservation(ENEMY_DETAIL);
    }

    public int[][] getMarioEnemiesObservation(int detail) {
        return grid(Level.ENEMIES, SCENE_DETAIL, detail, false);
    }

    public int[][] getMarioCompleteObservation() {
        return getMarioCompleteObservation(SCENE_DETAIL, ENEMY_DETAIL);
    }

    public int[][] getMarioCompleteObservation(int sceneDetail, int enemyDetail) {
        return grid(Level.MERGED, sceneDetail, enemyDetail, false);
    }

    public int[][] getScreenSceneObservation() {
        return getScreenSceneObservation(SCENE_DETAIL);
    }

    public int[][] getScreenSceneObservation(int detail) {
        return grid(Level.SCENE, detail, ENEMY_DETAIL, true);
    }

    public int[][] getScreenEnemiesObservation() {
        return getScreenEnemiesObservation(ENEMY_DETAIL);
    }

    public int[][] getScreenEnemiesObservation(int detail) {
        return grid(Level.ENEMIES, SCENE_DETAIL, detail, true);
    }

    public int[][] getScreenCompleteObservation() {
        return getScreenCompleteObservation(SCENE_DETAIL, ENEMY_DETAIL);
    }

    public int[][] getScreenCompleteObservation(int sceneDetail, int enemyDetail) {
        return grid(Level.MERGED, sceneDetail, enemyDetail, true);
    }

    private float[] motion() {
        float[] motion = new float[MOTION];
        level.motion(image, motion);
        return motion;
    }

    private int[][] grid(int kind, int sceneDetail, int enemyDetail, boolean onScreen) {
        byte[] cells = new byte[SIZE * SIZE];
        level.observe(image, kind, sceneDetail, enemyDetail, onScreen, SIZE, cells);
        int[][] grid = new int[SIZE][SIZE];
        for (int column = 0; column < SIZE; column++) {
            for (int row = 0; row < SIZE; row++) {
                grid[column][row] = cells[SIZE * column + row];
            }
        }
        return grid;
    }
}
