/* What the Notch generators share: the zones of a level, in the order in which they draw. */
#ifndef LUDUS_GENERATORS_NOTCH_H
#define LUDUS_GENERATORS_NOTCH_H

#include "generators/pieces.h"

/* In what the Notch generators differ. */
typedef struct {
    const gen_style *tiles;
    bool flower_fills_pipe; /* a piranha is marked in its pipe's whole left column */
    const char *walkers;    /* letters by the drawn number */
    int easy_walker;        /* the first of the three that come at difficulties 1 and 2 */
} notch_style;

enum notch_zone {
    NOTCH_STRAIGHT, NOTCH_HILLS, NOTCH_TUBES, NOTCH_JUMP, NOTCH_CANNONS, NOTCH_ZONES
};

typedef struct {
    gen_level *level;
    const notch_style *style;
    const gen_style *tiles;
    java_random random;
    int difficulty, type;
    gen_zone_odds odds;
} notch;

/* A builder on an empty level. */
notch notch_begin(gen_level *level, const notch_style *style, const gen_notch_options *options);

/* One draw below n. */
static inline int notch_draw(notch *n, int below) { return java_below(&n->random, below); }

/* The first row of ground: one of the lowest four. */
static inline int notch_floor(notch *n) { return n->level->height - 1 - notch_draw(n, 4); }

/* The straight without dangers that begins every level; returns its length. */
int notch_safe_start(notch *n);

/* Adds a drawn zone at column x0 and returns its length. */
int notch_add_zone(notch *n, int x0, int max_length);

/* Underground and in castles: a ragged ceiling, and a wall on the left. */
void notch_add_ceiling(notch *n);

#endif
