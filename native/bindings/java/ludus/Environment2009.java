package ludus;

import ch.idsia.mario.environments.Environment;

/** A world of the rules of 2009 as the agents of that year see it: grids are rows of columns. */
final class Environment2009 implements Environment {
    private static final int SIZE = 22;
    private static final int CELLS_PER_CHARACTER = 8;

    private final Level level;
    private final long[] image;

    Environment2009(Level level, long[] image) {
        this.level = level;
        this.image = image;
    }

    @Override
    public byte[][] getCompleteObservation() {
        return getCompleteObservation(1, 0);
    }

    @Override
    public byte[][] getEnemiesObservation() {
        return getEnemiesObservation(0);
    }

    @Override
    public byte[][] getLevelSceneObservation() {
        return getLevelSceneObservation(1);
    }

    @Override
    public byte[][] getCompleteObservation(int sceneDetail, int enemyDetail) {
        return grid(Level.MERGED, sceneDetail, enemyDetail);
    }

    @Override
    public byte[][] getLevelSceneObservation(int detail) {
        return grid(Level.SCENE, detail, 0);
    }

    @Override
    public byte[][] getEnemiesObservation(int detail) {
        return grid(Level.ENEMIES, 0, detail);
    }

    @Override
    public float[] getMarioFloatPos() {
        float[] motion = new float[5];
        level.motion(image, motion);
        return new float[] {motion[0], motion[1]};
    }

    @Override
    public int getMarioMode() {
        return level.number(image, Level.MODE);
    }

    @Override
    public float[] getEnemiesFloatPos() {
        return level.enemies(image);
    }

    @Override
    public boolean isMarioOnGround() {
        return level.number(image, Level.ON_GROUND) != 0;
    }

    @Override
    public boolean mayMarioJump() {
        return level.number(image, Level.MAY_JUMP) != 0;
    }

    @Override
    public boolean isMarioCarrying() {
        return level.number(image, Level.CARRYING) != 0;
    }

    @Override
    public String getBitmapLevelObservation() {
        byte[] packed = level.bitmap(image);
        StringBuilder characters = new StringBuilder(packed.length / 2);
        for (int at = 0; at + 1 < packed.length; at += 2) {
            characters.append((char) (packed[at] & 0xFF | (packed[at + 1] & 0xFF) << 8));
        }
        return characters.toString();
    }

    /** All bits are set, as in the reference, which asks whether a cell is not -1. */
    @Override
    public String getBitmapEnemiesObservation() {
        int cells = SIZE * SIZE;
        StringBuilder characters = new StringBuilder();
        for (; cells > 0; cells -= CELLS_PER_CHARACTER) {
            characters.append((char) ((1 << Math.min(cells, CELLS_PER_CHARACTER)) - 1));
        }
        return characters.toString();
    }

    private byte[][] grid(int kind, int sceneDetail, int enemyDetail) {
        byte[] cells = new byte[SIZE * SIZE];
        level.observe(image, kind, sceneDetail, enemyDetail, false, SIZE, cells);
        byte[][] grid = new byte[SIZE][SIZE];
        for (int column = 0; column < SIZE; column++) {
            for (int row = 0; row < SIZE; row++) {
                grid[row][column] = cells[SIZE * column + row];
            }
        }
        return grid;
    }
}
