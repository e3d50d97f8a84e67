package ch.idsia.mario.environments;

/** What an agent of 2009 sees. Grids are 22 × 22, indexed [row][column], with Mario at [11][11]. */
public interface Environment {
    int numberOfButtons = 5;
    int numberOfObservationElements = 487;
    int HalfObsWidth = 11;
    int HalfObsHeight = 11;

    /** Returns blocks at detail 1 with enemies at detail 0 over them. */
    byte[][] getCompleteObservation();

    /** Returns both at these details, 0 (finest) to 2. */
    byte[][] getCompleteObservation(int sceneDetail, int enemyDetail);

    /** Returns the enemies at detail 0. */
    byte[][] getEnemiesObservation();

    /** Returns the enemies at this detail. */
    byte[][] getEnemiesObservation(int detail);

    /** Returns the blocks at detail 1. */
    byte[][] getLevelSceneObservation();

    /** Returns the blocks at this detail. */
    byte[][] getLevelSceneObservation(int detail);

    // ---- the three grids by the names that later drops of 2009 have for them

    default byte[][] getMergedObservationZ(int sceneDetail, int enemyDetail) {
        return getCompleteObservation(sceneDetail, enemyDetail);
    }

    default byte[][] getEnemiesObservationZ(int detail) {
        return getEnemiesObservation(detail);
    }

    default byte[][] getLevelSceneObservationZ(int detail) {
        return getLevelSceneObservation(detail);
    }

    /** Returns Mario's x and y in pixels. */
    float[] getMarioFloatPos();

    /** Returns 0 for small, 1 for large, 2 for fire. */
    int getMarioMode();

    /** Returns kind, x and y of creatures, shells and mushrooms, one after the other. */
    float[] getEnemiesFloatPos();

    /** Returns the enemies in bits, 8 cells a character. */
    String getBitmapEnemiesObservation();

    /** Returns the blocks in bits, 16 cells a character. */
    String getBitmapLevelObservation();

    boolean isMarioOnGround();

    boolean mayMarioJump();

    boolean isMarioCarrying();
}
