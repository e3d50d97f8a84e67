/* A level of the generator "ludus" while it is being built. */
#ifndef LUDUS_GENERATORS_LUDUS_BUILDER_H
#define LUDUS_GENERATORS_LUDUS_BUILDER_H

#include "generators/ludus_options.h"

/* ---- chance ---------------------------------------------------------------------------------- */

/* Concerns draw from streams of their own, so that a knob of one leaves the others as they were.
 * An expression draws at most once: in which order it would draw twice is up to the compiler. */
typedef struct {
    uint64_t state;
} stream;

/* splitmix64 */
static inline uint64_t draw(stream *s) {
    uint64_t z = s->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* 0 .. n - 1; n must be positive. */
static inline int below(stream *s, int n) { return (int)(((draw(s) >> 32) * (uint64_t)n) >> 32); }

/* Both ends can come; the first one does if they are in the wrong order. */
static inline int between(stream *s, int first, int last) {
    return first + (last > first ? below(s, last - first + 1) : 0);
}

static inline bool chance(stream *s, int percent) { return below(s, 100) < percent; }

static inline int smaller(int a, int b) { return a < b ? a : b; }
static inline int larger(int a, int b) { return a > b ? a : b; }

/* ---- the builder ----------------------------------------------------------------------------- */

enum { LG_COLOURS = 3 };

enum barrier { NO_BARRIER, BARRIER_GAP, BARRIER_WALL, BARRIER_LOCK };

typedef struct {
    const lg_options *options;
    lg_workspace *workspace;
    char *text;
    stream terrain, items, coins, creatures, roof;
    int x;          /* the first column that is not built yet */
    int end;        /* the column where zones must end */
    int goal;       /* the column where the last of them does */
    int floor;      /* the first ground row of the last column */
    int highest;    /* the first ground row may be this .. */
    int lowest;     /* .. to this */
    int target;     /* where the ground tends to, until column turn_at */
    int turn_at;
    int difficulty; /* that of this part of the level: it rises from left to right */
    int n_places;
    int sealed_to;  /* up to this column the ceiling is thick */
    int colour;     /* of the next switch or key */
    int barred_colour; /* of a lock without a key, or -1 */
    enum barrier barrier;
    bool elements, roofed;
} builder;

static inline char *cell(const builder *b, int x, int y) {
    return b->text + (size_t)y * ((size_t)b->options->length + 1) + (size_t)x;
}

static inline bool is_inside(const builder *b, int x, int y) {
    return x >= 0 && x < b->options->length && y >= 0 && y < b->options->height;
}

static inline char look(const builder *b, int x, int y) {
    return is_inside(b, x, y) ? *cell(b, x, y) : '-';
}

/* Beyond the level nothing is written. */
static inline void put(builder *b, int x, int y, char c) {
    if (is_inside(b, x, y))
        *cell(b, x, y) = c;
}

static inline void put_if_empty(builder *b, int x, int y, char c) {
    if (look(b, x, y) == '-')
        put(b, x, y, c);
}

/* Rows first .. last of columns x .. x + n - 1. */
static inline void put_box(builder *b, int x, int n, int first, int last, char c) {
    for (int row = first; row <= last; row++)
        for (int column = x; column < x + n; column++)
            put(b, column, row, c);
}

static inline void put_element(builder *b, int x, int y, char c) {
    put(b, x, y, c);
    b->elements = true;
}

/* Lays n columns of ground, its first row given, and goes on behind them. */
static inline void lay_ground(builder *b, int n, int floor) {
    put_box(b, b->x, n, floor, b->options->height - 1, 'X');
    b->x += n;
    b->floor = floor;
}

static inline int room(const builder *b) { return b->end - b->x; }

/* ---- what Mario can do here ------------------------------------------------------------------ */

/* The highest wall that the zones put in his way. */
static inline int wall_limit(const builder *b) {
    int wanted = b->difficulty < 3 ? 2 : b->difficulty < 9 ? 3 : 4;
    return smaller(wanted, b->options->reach_up);
}

/* The widest gap with a landing that many rows higher; less than 1 if there can be none. */
static inline int gap_limit(const builder *b, int rise) {
    const lg_options *o = b->options;
    int wanted = 2 + (o->gap_width - 2) * (b->difficulty + 3) / 20;
    int safe = (2 * o->reach_across + 1) / 3;
    int able = safe + (o->reach_across - safe) * larger(0, b->difficulty - 5) / 15;
    return smaller(smaller(wanted, o->gap_width), smaller(able, o->reach_across)) - larger(0, rise);
}

/* How far above a floor nothing can be reached, not even from the back of a creature. */
static inline int out_of_reach(const builder *b) { return b->options->reach_up + 3; }

/* ---- zones: each starts at x and ends at most at end ----------------------------------------- */

/* The floor of the next piece of ground. */
int lg_next_floor(builder *b);

void lg_flat(builder *b);
void lg_gaps(builder *b);
void lg_stairs(builder *b);
void lg_tubes(builder *b);
void lg_cannons(builder *b);
void lg_hills(builder *b);
void lg_platforms(builder *b);


/* Two ways one above the other, of which one is blocked at its far end. */
void lg_dead_end(builder *b);
int lg_dead_end_columns(const builder *b);

void lg_ladder(builder *b);
void lg_moving_platforms(builder *b);
void lg_switch(builder *b);
void lg_key(builder *b);
void lg_puzzle(builder *b);
int lg_puzzle_columns(const builder *b);

/* Columns of the steps that lead up by this many rows. */
int lg_steps_columns(const builder *b, int rise);
/* Steps from the floor up to a slab; whoever stays below can pass under them. */
void lg_put_steps(builder *b, int x, int floor, int rise, bool rightwards);
/* A wall of n columns on the floor, too high for any jump. */
void lg_put_wall(builder *b, int x, int n, int floor);

/* Chooses what cannot be passed, and returns its column. */
int lg_plan_barrier(builder *b);
void lg_put_barrier(builder *b);

/* ---- what is in and above the zones ---------------------------------------------------------- */

/* Blocks, coins and hidden blocks above n columns of even ground. */
void lg_decorate(builder *b, int x, int n, int floor);
void lg_coin_row(builder *b, int x, int n, int row);
void lg_coin_arc(builder *b, int x, int n, int row);

/* Says that walkers can stand on n columns of this floor. */
void lg_add_places(builder *b, int x, int n, int floor, bool low);
void lg_place_walkers(builder *b);

void lg_roof(builder *b);

#endif
