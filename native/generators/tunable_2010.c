/* The tunable generator of the 2010 benchmark: its zones, from left to right. */
#include "tunable.h"

enum { NONE = -1, NEAR_END = 10, LADDER_FREE = 3 };

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
        decorate_stretch(t, (stretch){x0, x0 + length, floor});
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

static void put_hill_cell(tunable *t, int x, int y, int piece, bool top) {
    uint8_t there = get(t->level, x, y);
    if (there == 0)
        put(t->level, x, y, (uint8_t)((top ? BYTE_HILL_TOP : BYTE_HILL_BODY) + piece));
    else if (there == BYTE_HILL_TOP || there == BYTE_HILL_TOP + 2)
        put(t->level, x, y, (uint8_t)(there + BYTE_HILL_OVERLAP - BYTE_HILL_TOP));
}

/* Columns x0 .. x1 - 1, rows top .. bottom - 1. */
static void put_hill(tunable *t, int x0, int x1, int top, int bottom) {
    for (int x = x0; x < x1; x++)
        for (int y = top; y < bottom; y++)
            put_hill_cell(t, x, y, hill_piece(x, x0, x1 - 1), y == top);
}

/* Returns whether another hill may follow. */
static bool add_hill(tunable *t, int x0, int length, int top, int bottom) {
    int wide = draw(t, length / 2) + 1, first = x0 + draw(t, wide + 1);
    bool last = draw(t, 4) == 0;
    if (last)
        decorate_stretch(t, (stretch){first - 1, first + wide + 1, top});
    put_hill(t, first, first + wide, top, bottom);
    add_creature(t, first, top - 1);
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

static int draw_gap(tunable *t) {
    return draw(t, t->options.difficulty) + t->options.difficulty > 7 ? 10 : 3;
}

static int add_gap(tunable *t, int x0, room r) {
    int side = draw(t, 5) + 2, gap = draw_gap(t), length = least(2 * side + gap, r.max_length);
    bool stairs = draw(t, 3) == 0 && (r.headroom == NONE || r.headroom > 5);
    int floor = r.floor == NONE ? draw_floor(t) : r.floor, end = x0 + length;
    t->counts->gaps++;
    for (int x = x0; x < end; x++) {
        bool left = x < x0 + side;
        if (!left && x < end - side)
            continue;
        if (stairs)
            put_column(t->level, x, left ? floor - (x - x0) + 1 : floor - (end - x) + 2, floor - 1,
                       BYTE_STAIRS);
        put_ground(t, x, floor, thick(r));
    }
    if (gap > 8)
        add_stepping_stone(t, x0 + side + draw(t, (gap - 4) / 2 + 1), floor);
    return length;
}

/* ---- tubes ----------------------------------------------------------------------------------- */

static void put_pipe_column(tunable *t, int x, int top, int floor, int right) {
    put_column(t->level, x, top, floor - 1, (uint8_t)(BYTE_PIPE_BODY + right));
    put(t->level, x, top, (uint8_t)(BYTE_PIPE_TOP + right));
}

/* Blocks above tubes or cannons, as high as the lowest of them is deep. */
static void add_blocks_above(tunable *t, int x0, int x1, int floor, int lowest_top) {
    if (draw_bool(t))
        add_block_rows(t, (stretch){x0, x1, floor - lowest_top - 2}, false);
}

static int add_tubes(tunable *t, int x0, room r) {
    int length = least(draw(t, 10) + 5, r.max_length), floor = choose_floor(t, r);
    int tube = x0 + 1 + draw(t, 4), top = floor - draw(t, 3) - 1, lowest = 0, tubes = 0;
    if (r.headroom != NONE && floor - top > r.headroom) {
        r.headroom = least(r.headroom, 4);
        top = floor - r.headroom;
    }
    for (int x = x0; x < x0 + length; x++) {
        if (x > tube + 1) {
            tube += 3 + draw(t, 4);
            top = floor - draw(t, 2) - 2;
            if (r.headroom != NONE)
                top = most(top, floor - (r.headroom - 1));
            lowest = most(lowest, top);
        }
        if (tube >= x0 + length - 2)
            tube += 10;
        if (x == tube && draw(t, 11) < t->options.difficulty + 1)
            add_piranha(t, x, top);
        put_ground(t, x, floor, r.slab);
        if (x == tube || x == tube + 1)
            put_pipe_column(t, x, top, floor, x - tube);
        if (x == tube && tubes++ > 0)
            java_below(&t->creatures, 35);
    }
    t->counts->tubes += tubes;
    add_blocks_above(t, x0, x0 + length, floor, lowest);
    return length;
}

/* ---- cannons --------------------------------------------------------------------------------- */

static void put_cannon(tunable *t, int x, int top, int floor) {
    put_column(t->level, x, top + 2, floor - 1, BYTE_POLE);
    if (top + 1 < floor)
        put(t->level, x, top + 1, BYTE_NECK);
    put(t->level, x, top, BYTE_MUZZLE);
}

static int add_cannons(tunable *t, int x0, room r) {
    int length = least(draw(t, 10) + 2, r.max_length), floor = choose_floor(t, r);
    int cannon = x0 + 1 + draw(t, 4), lowest = 0, cannons = 0;
    for (int x = x0; x < x0 + length; x++) {
        if (x > cannon) {
            cannon += 2 + draw(t, 4);
            t->counts->cannons++;
        }
        if (cannon == x0 + length - 1)
            cannon += 10;
        int top = floor - draw(t, 3) - 1;
        if (r.headroom != NONE) {
            if (floor - top >= r.headroom) {
                r.headroom = least(r.headroom, 4);
                top = most(top, floor - r.headroom);
            }
            lowest = most(lowest, top);
        }
        put_ground(t, x, floor, thick(r));
        if (x == cannon)
            put_cannon(t, x, top, floor);
        if (x == cannon && cannons++ > 0)
            java_below(&t->creatures, 35);
    }
    add_blocks_above(t, x0, x0 + length, floor, lowest);
    return length;
}

/* ---- dead ends ------------------------------------------------------------------------------- */

static int add_zone(tunable *t, int x0, room r);

static void add_corridor(tunable *t, int x0, int length, int headroom, int floor, int slab) {
    for (int built = 0; built < length;)
        built += add_zone(t, x0 + built, (room){length - built, headroom, floor, slab});
}

static void add_wall(tunable *t, int x0, int x1, int ceiling, bool upper) {
    for (int x = x0; x < x1; x++)
        put_column(t->level, x, upper ? 0 : ceiling, upper ? ceiling : t->level->height - 1,
                   BYTE_GROUND);
}

/* Two corridors, one above the other; one of them ends at a wall. */
static int add_dead_end(tunable *t, int x0, int max_length) {
    int d = t->options.difficulty;
    int floor = t->level->height - 2 - draw(t, 2), way = 7 + draw(t, 10), upper = 3 + draw(t, floor - 8);
    int length = add_safe_straight(t, x0, (room){way, NONE, floor, NONE});
    t->counts->dead_ends++;
    if (draw(t, 3) == 0 && t->options.ladders)
        add_ladder(t, x0 + draw(t, length - 1) + 1, floor, floor - upper);
    else
        add_hidden_rows(t, (stretch){x0, x0 + way, floor});
    burn(t);
    bool upper_blocked = draw(t, draw(t, 5) + 1) != 1;
    int slab = 2 + draw(t, 2), depth = draw(t, d + 1) + 2 * (1 + d);
    if (depth + length > max_length)
        depth = most(max_length - 1 - length, 0);
    upper = least(upper, floor - slab - 4);
    int wall = 2 + draw(t, 3), begin = x0 + length;
    add_corridor(t, begin, depth, upper - 1, upper, slab);
    add_corridor(t, begin, depth, floor - (upper + slab), floor, NONE);
    add_wall(t, most(begin, begin + depth - wall), begin + depth, upper, upper_blocked);
    return length + depth;
}

/* ---- zones ----------------------------------------------------------------------------------- */

static void set_odds(tunable *t) {
    int d = t->options.difficulty;
    int odds[TUNABLE_ZONES] = {
        [TUNABLE_STRAIGHT] = 20,
        [TUNABLE_PLATFORMS] = t->options.type == GEN_OVERGROUND,
        [TUNABLE_TUBES] = 2 + d,
        [TUNABLE_GAP] = 3 * d,
        [TUNABLE_CANNONS] = most(-10 + 5 * d, 0),
        [TUNABLE_DEAD_END] = 2 + 2 * d,
    };
    for (int zone = 0; zone < TUNABLE_ZONES; zone++) {
        t->first[zone] = t->total;
        t->total += odds[zone];
    }
}

static int draw_zone(tunable *t) {
    int drawn = draw(t, t->total), zone = TUNABLE_ZONES - 1;
    while (t->first[zone] > drawn)
        zone--;
    return zone;
}

/* Returns the length, 0 where the drawn zone is switched off or does not fit. */
static int build_zone(tunable *t, int x0, room r) {
    const gen_tunable_options *o = &t->options;
    bool open = r.floor == NONE;
    switch (draw_zone(t)) {
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
    populate_column(t, x0);
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
                 .random = seeded, .ceilings = seeded, .creatures = seeded, .jitter = seeded};
    gen_clear(level);
    if (options->flat)
        switch_off(&t.options);
    fill_stock(&t);
    set_odds(&t);
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
