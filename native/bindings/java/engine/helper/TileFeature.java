package engine.helper;

import java.util.ArrayList;
import java.util.Arrays;

/** What a tile does. */
public enum TileFeature {
    /** Solid for what moves up. */
    BLOCK_UPPER,
    /** Solid from every side. */
    BLOCK_ALL,
    /** Solid for what moves down. */
    BLOCK_LOWER,
    /** Holds a mushroom or a fire flower. */
    SPECIAL,
    /** Holds a 1-up mushroom. */
    LIFE,
    BUMPABLE,
    BREAKABLE,
    /** A coin. */
    PICKABLE,
    /** Moves in pictures; nothing else depends on it, and no tile is known to have it. */
    ANIMATED,
    /** Shoots bullet bills. */
    SPAWNER;

    /** Returns the features of the tile with this code, in the order of these; none if there is no such tile. */
    public static ArrayList<TileFeature> getTileType(int code) {
        return new ArrayList<>(Arrays.asList(find(code)));
    }

    private static TileFeature[] find(int code) {
        switch (code) {
            case 1: case 2: case 4: case 5: case 14: case 18: case 19: case 20: case 21: case 52: case 53:
                return new TileFeature[] {BLOCK_ALL};
            case 3:
                return new TileFeature[] {BLOCK_ALL, SPAWNER};
            case 6:
                return new TileFeature[] {BLOCK_ALL, BREAKABLE};
            case 7: case 11:
                return new TileFeature[] {BLOCK_ALL, BUMPABLE};
            case 8: case 50:
                return new TileFeature[] {BLOCK_ALL, SPECIAL, BUMPABLE};
            case 15:
                return new TileFeature[] {PICKABLE};
            case 43: case 44: case 45: case 46:
                return new TileFeature[] {BLOCK_LOWER};
            case 48:
                return new TileFeature[] {BLOCK_UPPER, LIFE, BUMPABLE};
            case 49:
                return new TileFeature[] {BLOCK_UPPER, BUMPABLE};
            case 51:
                return new TileFeature[] {BLOCK_ALL, LIFE, BUMPABLE};
            default:
                return new TileFeature[0];
        }
    }
}
