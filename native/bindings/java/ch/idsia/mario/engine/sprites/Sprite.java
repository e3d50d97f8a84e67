package ch.idsia.mario.engine.sprites;

/** The kinds of sprites of 2009. */
public class Sprite {
    public static final int KIND_NONE = 0;
    public static final int KIND_GOOMBA = 2;
    public static final int KIND_GOOMBA_WINGED = 3;
    public static final int KIND_RED_KOOPA = 4;
    public static final int KIND_RED_KOOPA_WINGED = 5;
    public static final int KIND_GREEN_KOOPA = 6;
    public static final int KIND_GREEN_KOOPA_WINGED = 7;
    public static final int KIND_BULLET_BILL = 8;
    public static final int KIND_SPIKY = 9;
    public static final int KIND_SPIKY_WINGED = 10;
    public static final int KIND_ENEMY_FLOWER = 12;
    public static final int KIND_SHELL = 13;
    public static final int KIND_MUSHROOM = 14;
    public static final int KIND_FIRE_FLOWER = 15;
    public static final int KIND_COIN_ANIM = 20;
    public static final int KIND_PARTICLE = 21;
    public static final int KIND_SPARKLE = 22;
    public static final int KIND_FIREBALL = 25;
    public static final int KIND_MARIO = -31;

    private Sprite() {}
}
