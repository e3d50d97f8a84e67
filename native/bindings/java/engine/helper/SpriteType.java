package engine.helper;

/** The kinds of sprites. */
public enum SpriteType {
    NONE(0),
    UNDEF(-42),
    MARIO(-31),
    GOOMBA(2),
    GOOMBA_WINGED(3),
    RED_KOOPA(4),
    RED_KOOPA_WINGED(5),
    GREEN_KOOPA(6),
    GREEN_KOOPA_WINGED(7),
    SPIKY(8),
    SPIKY_WINGED(9),
    BULLET_BILL(10),
    ENEMY_FLOWER(11),
    MUSHROOM(12),
    FIRE_FLOWER(13),
    SHELL(14),
    LIFE_MUSHROOM(15),
    FIREBALL(16);

    private final int value;

    SpriteType(int value) {
        this.value = value;
    }

    /** Returns the number that observations and events have for it. */
    public int getValue() {
        return value;
    }
}
