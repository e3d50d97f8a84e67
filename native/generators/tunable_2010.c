/* The tunable generator of the 2010 benchmark: its zones, from left to right. */
#include "generators/tunable.h"

enum { NONE = -1, NEAR_END = 10 };

static const gen_style *const TILES = &GEN_BYTE_STYLE;

/* What a zone has to fit into. */
typedef struct {
    int max_length;
    int headroom; /* rows above the floor, or NONE */
    int floor;    /* NONE: the zone draws one */
    int slab;     /* rows of ground, or NONE: down to the bottom */
} room;

static int draw_floor(tunable *t) { return t->level->height - 1 - draw(t, 4); }

static int choose_floor(tunable *t, room r) {
    if (r.floor == NONE)
        return draw_floor(t);
    burn(t);
    return r.floor;
}

static void put_ground(tunable *t, int x, int floor, int slab) {
    int last = slab == NONE ? t->level->height - 1 : floor + slab - 1;
    put_column(t->level, x, floor, last, BYTE_GROUND);
}

/* Gaps and cannons make their slab a row thicker. */
static int thick(room r) { return r.slab == NONE ? NONE : r.slab + 1; }

static void put_plain(tunable *t, int x0, int x1, int floor, int slab) {
    for (int x = x0; x < x1; x++)
        put_ground(t, x, floor, slab);
}

/* ---- straights ------------------------------------------------------------------------------- */

static int add_straight(tunable *t, int x0, room r) {
    int length = r.slab == NONE ? least(draw(t, 8) + 2, r.max_length) : r.max_length;
    int floor = choose_floor(t, r);
    put_plain(t, x0, x0 + length, floor, r.slab);
    if (length > 5)
        tunable_decorate(t, (stretch){x0, x0 + length, floor});
    return length;
}

/* Nothing but ground; down to the bottom. */
static int add_safe_straight(tunable *t, int x0, room r) {
    draw(t, 8); /* the length it would have were it not safe */
    int length = least(10 + draw(t, 5), r.max_length);
    put_plain(t, x0, x0 + length, choose_floor(t, r), NONE);
    return length;
}

/* ---- platforms ------------------------------------------------------------------------------- */

/* Returns whether another hill may follow. */
static bool add_hill(tunable *t, int x0, int length, int top, int bottom) {
    int wide = draw(t, length / 2) + 1, first = x0 + draw(t, wide + 1);
    bool last = draw(t, 4) == 0;
    if (last)
        tunable_decorate(t, (stretch){first - 1, first + wide + 1, top});
    gen_put_hill(t->level, TILES, first, first + wide, top, bottom);
    tunable_add_creature(t, first, top - 1);
    return !last;
}

static void add_hills(tunable *t, int x0, int length, int floor, int bottom) {
    int top = floor;
    do
        top -= draw(t, 2) + 2;
    while (top >= 0 && add_hill(t, x0, length, top, bottom));
}

static int add_platforms(tunable *t, int x0, int max_length) {
    int length = least(draw(t, 10) + 10, max_length), floor = draw_floor(t);
    t->counts->platforms++;
    put_plain(t, x0, x0 + length, floor, NONE);
    add_hills(t, x0, length, floor, floor);
    return length;
}

/* Hills that stand in a wide gap. */
static void add_stepping_stone(tunable *t, int x0, int floor) {
    enum { STONE = 3 };
    draw(t, 10); /* the length it would have on the ground */
    add_hills(t, x0, STONE, floor, t->level->height);
}

/* ---- gaps ------------------------------------------------------------------------------------ */

enum { SHORT_GAP = 3, LONG_GAP = 10 };

static int draw_gap(tunable *t) {
    int d = t->options.difficulty;
    return draw(t, d) + d > 7 ? LONG_GAP : SHORT_GAP;
}

static void put_banks(tunable *t, const gen_gap_shape *gap, int slab) {
    for (int x = gap->x0; x < gap->x1; x++) {
        if (gen_is_in_gap(gap, x))
            continue;
        gen_put_stairs(t->level, TILES, gap, x);
        put_ground(t, x, gap->floor, slab);
    }
}

static int add_gap(tunable *t, int x0, room r) {
    int side = draw(t, 5) + 2, width = draw_gap(t);
    int length = least(2 * side + width, r.max_length);
    bool stairs = draw(t, 3) == 0 && (r.headroom == NONE || r.headroom > 5);
    int floor = r.floor == NONE ? draw_floor(t) : r.floor;
    t->counts->gaps++;
    put_banks(t, &(gen_gap_shape){x0, x0 + length, side, floor, stairs}, thick(r));
    if (width == LONG_GAP)
        add_stepping_stone(t, x0 + side + draw(t, (LONG_GAP - 4) / 2 + 1), floor);
    return length;
}

/* ---- tubes and cannons ----------------------------------------------------------------------- */

/* A row of tubes or cannons while it is built: where the next one stands and how high it is. */
typedef struct {
    int x, top, floor, headroom;
    int lowest; /* the greatest row of a top so far */
    int built;
} tower;

/* Lowers a tower to what fits. */
static void limit_height(tower *w, int height) { w->top = most(w->top, w->floor - height); }

/* All but the first of a zone take a draw from the stream of creatures. */
static void count_tower(tunable *t, tower *w) {
    if (w->built++ > 0)
        java_below(&t->creatures, 35);
}

/* Blocks at the height that is left between the floor's row number and the lowest top's: where
 * there is more than one tower that is seldom any. */
static void add_blocks_above(tunable *t, int x0, int x1, const tower *w) {
    if (draw_bool(t))
        tunable_add_block_rows(t, (stretch){x0, x1, w->floor - w->lowest - 2});
}

static tower first_tube(tunable *t, int x0, room r) {
    tower w = {.floor = choose_floor(t, r), .headroom = r.headroom};
    w.x = x0 + 1 + draw(t, 4);
    w.top = w.floor - draw(t, 3) - 1;
    if (w.headroom != NONE && w.floor - w.top > w.headroom) {
        w.headroom = least(w.headroom, 4);
        limit_height(&w, w.headroom);
    }
    return w;
}

static void next_tube(tunable *t, tower *w) {
    w->x += 3 + draw(t, 4);
    w->top = w->floor - draw(t, 2) - 2;
    if (w->headroom != NONE)
        limit_height(w, w->headroom - 1);
    w->lowest = most(w->lowest, w->top);
}

static void put_tube_column(tunable *t, tower *w, int x) {
    if (x == w->x && draw(t, 11) < t->options.difficulty + 1)
        tunable_add_piranha(t, x, w->top);
    if (x == w->x)
        count_tower(t, w);
    if (x == w->x || x == w->x + 1)
        gen_put_pipe_column(t->level, TILES, x, w->top, w->floor, x > w->x);
}

static int add_tubes(tunable *t, int x0, room r) {
    int length = least(draw(t, 10) + 5, r.max_length), end = x0 + length;
    tower w = first_tube(t, x0, r);
    for (int x = x0; x < end; x++) {
        if (x > w.x + 1)
            next_tube(t, &w);
        if (w.x >= end - 2)
            w.x += 10;
        put_ground(t, x, w.floor, r.slab);
        put_tube_column(t, &w, x);
    }
    t->counts->tubes += w.built;
    add_blocks_above(t, x0, end, &w);
    return length;
}

static void next_cannon(tunable *t, tower *w) {
    w->x += 2 + draw(t, 4);
    t->counts->cannons++;
}

/* Drawn for every column, cannon or not. */
static void draw_cannon_top(tunable *t, tower *w) {
    w->top = w->floor - draw(t, 3) - 1;
    if (w->headroom == NONE)
        return;
    if (w->floor - w->top >= w->headroom) {
        w->headroom = least(w->headroom, 4);
        limit_height(w, w->headroom);
    }
    w->lowest = most(w->lowest, w->top);
}

static void put_cannon_column(tunable *t, tower *w, int x) {
    if (x != w->x)
        return;
    gen_put_cannon(t->level, TILES, x, w->top, w->floor);
    count_tower(t, w);
}

static int add_cannons(tunable *t, int x0, room r) {
    int length = least(draw(t, 10) + 2, r.max_length), end = x0 + length;
    tower w = {.floor = choose_floor(t, r), .headroom = r.headroom};
    w.x = x0 + 1 + draw(t, 4);
    for (int x = x0; x < end; x++) {
        if (x > w.x)
            next_cannon(t, &w);
        if (w.x == end - 1)
            w.x += 10;
        draw_cannon_top(t, &w);
        put_ground(t, x, w.floor, thick(r));
        put_cannon_column(t, &w, x);
    }
    add_blocks_above(t, x0, end, &w);
    return length;
}

/* ---- dead ends ------------------------------------------------------------------------------- */

/* Two corridors, one above the other; one of them ends at a wall. */
typedef struct {
    int x0, x1; /* the corridors' columns */
    int upper, slab, lower; /* the upper floor and its thickness, the lower floor */
    int wall;
    bool upper_blocked;
} fork;

static int add_zone(tunable *t, int x0, room r);

static void add_corridor(tunable *t, const fork *f, room r) {
    for (int x = f->x0; x < f->x1;) {
        r.max_length = f->x1 - x;
        x += add_zone(t, x, r);
    }
}

static void add_wall(tunable *t, const fork *f) {
    int first = f->upper_blocked ? 0 : f->upper;
    int last = f->upper_blocked ? f->upper : t->level->height - 1;
    for (int x = most(f->x0, f->x1 - f->wall); x < f->x1; x++)
        put_column(t->level, x, first, last, BYTE_GROUND);
}

/* The ground before the corridors, with a way up; returns its length. */
static int add_approach(tunable *t, const fork *f, int x0, int max_length) {
    int length = add_safe_straight(t, x0, (room){max_length, NONE, f->lower, NONE});
    if (draw(t, 3) == 0 && t->options.ladders)
        tunable_add_ladder(t, x0 + draw(t, length - 1) + 1, f->lower, f->lower - f->upper);
    else
        tunable_add_hidden_rows(t, (stretch){x0, x0 + max_length, f->lower});
    return length;
}

static int draw_depth(tunable *t, int max_depth) {
    int d = t->options.difficulty, depth = draw(t, d + 1) + 2 * (1 + d);
    return depth > max_depth ? most(max_depth - 1, 0) : depth;
}

static fork draw_fork(tunable *t, int x0, int max_length) {
    fork f = {.lower = t->level->height - 2 - draw(t, 2)};
    int approach = 7 + draw(t, 10);
    f.upper = 3 + draw(t, f.lower - 8);
    f.x0 = x0 + add_approach(t, &f, x0, approach);
    burn(t);
    f.upper_blocked = draw(t, draw(t, 5) + 1) != 1;
    f.slab = 2 + draw(t, 2);
    f.x1 = f.x0 + draw_depth(t, x0 + max_length - f.x0);
    f.upper = least(f.upper, f.lower - f.slab - 4);
    f.wall = 2 + draw(t, 3);
    return f;
}

static int add_dead_end(tunable *t, int x0, int max_length) {
    fork f = draw_fork(t, x0, max_length);
    t->counts->dead_ends++;
    add_corridor(t, &f, (room){0, f.upper - 1, f.upper, f.slab});
    add_corridor(t, &f, (room){0, f.lower - f.upper - f.slab, f.lower, NONE});
    add_wall(t, &f);
    return f.x1 - x0;
}

/* ---- zones ----------------------------------------------------------------------------------- */

static gen_zone_odds odds_at(int difficulty, int type) {
    int weights[TUNABLE_ZONES] = {
        [TUNABLE_STRAIGHT] = 20,
        [TUNABLE_PLATFORMS] = type == GEN_OVERGROUND,
        [TUNABLE_TUBES] = 2 + difficulty,
        [TUNABLE_GAP] = 3 * difficulty,
        [TUNABLE_CANNONS] = most(-10 + 5 * difficulty, 0),
        [TUNABLE_DEAD_END] = 2 + 2 * difficulty,
    };
    return gen_odds_of(weights, TUNABLE_ZONES);
}

/* Returns the length, 0 where the drawn zone is switched off or does not fit. */
static int build_zone(tunable *t, int x0, room r) {
    const gen_tunable_options *o = &t->options;
    bool open = r.floor == NONE;
    switch (gen_draw_zone(&t->random, &t->odds)) {
    case TUNABLE_STRAIGHT: return add_straight(t, x0, r);
    case TUNABLE_PLATFORMS: return o->platforms && open ? add_platforms(t, x0, r.max_length) : 0;
    case TUNABLE_TUBES: return o->tubes ? add_tubes(t, x0, r) : 0;
    case TUNABLE_GAP: return o->gaps && (open || r.floor > 2) ? add_gap(t, x0, r) : 0;
    case TUNABLE_CANNONS: return o->cannons ? add_cannons(t, x0, r) : 0;
    default: return o->dead_ends && open ? add_dead_end(t, x0, r.max_length) : 0;
    }
}

static void add_ceiling(tunable *t, int x0, int length) {
    for (int built = 0; built < length;) {
        int wide = least(java_below(&t->ceilings, 2) + 2, length);
        int thickness = java_below(&t->ceilings, 3) + 1;
        for (int x = x0 + built; x < x0 + built + wide; x++)
            put_column(t->level, x, 0, thickness - 1, BYTE_GROUND);
        built += wide;
    }
}

static int add_zone(tunable *t, int x0, room r) {
    int length = build_zone(t, x0, r);
    tunable_populate_column(t, x0);
    if (t->options.type != GEN_OVERGROUND && length >= 2)
        add_ceiling(t, x0, length);
    return length;
}

/* ---- levels ---------------------------------------------------------------------------------- */

static void switch_off(gen_tunable_options *o) {
    o->blocks = o->coins = o->tubes = o->gaps = o->dead_ends = o->cannons = false;
    o->creatures = GEN_CREATURES_OFF;
}

static tunable begin(gen_level *level, const gen_tunable_options *options) {
    java_random seeded = java_seeded(options->seed);
    tunable t = {.level = level, .counts = &level->counts, .options = *options,
                 .random = seeded, .ceilings = seeded, .creatures = seeded, .jitter = seeded,
                 .odds = odds_at(options->difficulty, options->type)};
    gen_clear(level);
    if (options->flat)
        switch_off(&t.options);
    tunable_fill_stock(&t);
    return t;
}

static void add_exit(tunable *t, int floor) {
    gen_level *level = t->level;
    level->exit_x = t->options.exit_x ? t->options.exit_x : level->width - 1;
    level->exit_y = t->options.exit_y ? t->options.exit_y : floor - 1;
    put(level, level->exit_x, level->exit_y, BYTE_EXIT);
    put_creature(level, level->exit_x, level->exit_y, GEN_PRINCESS);
}

void gen_tunable_2010(gen_level *level, const gen_tunable_options *options) {
    tunable t = begin(level, options);
    int width = level->width, floor = options->flat ? draw_floor(&t) : NONE;
    int length = add_safe_straight(&t, 0, (room){width, NONE, floor, NONE});
    while (length < width - NEAR_END)
        length += add_zone(&t, length, (room){width - length, NONE, floor, NONE});
    if (floor == NONE)
        floor = draw_floor(&t);
    put_plain(&t, length, width, floor, NONE);
    gen_finish_ground(level, options->type);
    add_exit(&t, floor);
}
