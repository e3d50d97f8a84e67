/* What the solver knows about tiles and about how Mario jumps, for any physics. */
#ifndef LUDUS_SOLVER_GROUND_H
#define LUDUS_SOLVER_GROUND_H

#include "platformer/rules/ludus/elements.h"

enum {
    GROUND_WALL = 1,   /* stops a body from every side */
    GROUND_FLOOR = 2,  /* can be stood on */
    GROUND_BRICK = 4,  /* large Mario and shells break it */
    GROUND_HIDDEN = 8, /* nothing until it is hit from below, then a block */
    GROUND_POWER = 16, /* holds a mushroom */
    GROUND_LADDER = 32
};

/* The tile code that stands for a tile of a level: itself, or what comes closest to a map byte. */
int sv_tile(const pf_level *level, int tile);

/* GROUND_* bits of a tile code. */
unsigned sv_ground(int tile);

/* Colour of an element tile of this family, or -1. */
static inline int sv_colour(int tile, int family) {
    return tile >= family && tile < family + PF_COLOURS ? tile - family : -1;
}

/* Whether Mario can bounce off a creature of this kind. */
static inline bool sv_is_stompable(int kind) {
    return (kind >= PF_GOOMBA && kind <= PF_GREEN_KOOPA_WINGED) || kind == PF_BULLET_BILL
           || kind == PF_SHELL;
}

/* Whether a creature of this kind leaves a shell. */
static inline bool sv_has_shell(int kind) {
    return kind >= PF_RED_KOOPA && kind <= PF_GREEN_KOOPA_WINGED;
}

enum { SV_ARC_TICKS = 1024 };

/* How high a body is above its take-off, tick by tick; after the last entry it stays there. */
typedef struct {
    int length, top; /* entries, and the one at which it is highest */
    float height[SV_ARC_TICKS];
    float speed[SV_ARC_TICKS]; /* upward, in the tick that led there */
} sv_arc;

/* A jump with the button held throughout; `ticks` of thrust, the first one twice if on the ground. */
void sv_jump_arc(sv_arc *arc, const pf_physics *physics, int ticks, bool from_ground);
/* A body that starts with this upward speed and only falls from then on. */
void sv_throw_arc(sv_arc *arc, float speed, float damping, float gravity);

/* The most pixels that Mario runs in a tick. */
float sv_top_speed(const pf_physics *physics);

#endif
