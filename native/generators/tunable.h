/* What the parts of the 2010 benchmark's generator share: streams, options, counters. */
#ifndef LUDUS_GENERATORS_TUNABLE_H
#define LUDUS_GENERATORS_TUNABLE_H

#include "generators/pieces.h"

/* The kinds of creatures that may still come, in the order in which they are picked. */
typedef struct {
    int32_t n, kinds[GEN_TUNABLE_KINDS];
    int32_t left[GEN_TUNABLE_KINDS]; /* by kind */
} creature_stock;

enum tunable_zone {
    TUNABLE_STRAIGHT, TUNABLE_PLATFORMS, TUNABLE_TUBES, TUNABLE_GAP, TUNABLE_CANNONS,
    TUNABLE_DEAD_END, TUNABLE_ZONES
};

typedef struct {
    gen_level *level;
    gen_counts *counts;
    gen_tunable_options options; /* with what flat levels switch off switched off */
    java_random random, ceilings, creatures, jitter;
    creature_stock stock;
    gen_zone_odds odds;
} tunable;

/* One draw below n from the main stream. */
static inline int draw(tunable *t, int below) { return java_below(&t->random, below); }
static inline bool draw_bool(tunable *t) { return java_bool(&t->random); }
/* One draw whose value nobody uses. */
static inline void burn(tunable *t) { java_int(&t->random); }

/* ---- creatures (tunable_creatures.c) --------------------------------------------------------- */

void tunable_fill_stock(tunable *t);

/* Places a creature of a drawn kind near (x, y), if creatures may come. */
void tunable_add_creature(tunable *t, int x, int y);

void tunable_add_piranha(tunable *t, int x, int y);

/* Tries every empty cell of the column in which a zone began. */
void tunable_populate_column(tunable *t, int x);

/* ---- coins, blocks, ladders (tunable_blocks.c) ----------------------------------------------- */

/* Where blocks may go: columns x0 .. x1 - 1 above a floor. */
typedef struct {
    int x0, x1, floor;
} stretch;

/* Rows of blocks up to the sky, each with margins of its own. */
void tunable_add_block_rows(tunable *t, stretch s);

/* Rows of hidden blocks only, four rows apart. */
void tunable_add_hidden_rows(tunable *t, stretch s);

/* Coins, rows of blocks, and at times a ladder. */
void tunable_decorate(tunable *t, stretch s);

/* A ladder from the floor up, of drawn height; none if it came out too short. */
void tunable_add_ladder(tunable *t, int x, int floor, int max_height);

#endif
