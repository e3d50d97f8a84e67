/* The generator "ludus": from the first column to the exit, zone after zone. */
#include "generators/ludus_builder.h"

#include <string.h>

enum {
    RUN_IN = 10,       /* even columns behind the start */
    RUN_OUT = 6,       /* and before the exit */
    SAFE_COLUMNS = 24, /* from the start to the first cannon */
    LEAST_ROOM = 5,    /* less is filled with ground */
    PERCENT = 100
};

/* ---- kinds of zones -------------------------------------------------------------------------- */

enum zone {
    FLAT, GAPS, STAIRS, TUBES, CANNONS, HILLS, PLATFORMS, DEAD_END,
    LADDER, MOVING, SWITCH, KEY, PUZZLE, ZONES
};

typedef struct {
    void (*build)(builder *);
    int base, slope; /* how the odds grow with the difficulty */
    int least_room, least_reach; /* columns; rows that a jump must gain */
} zone_kind;

static const zone_kind KINDS[ZONES] = {
    [FLAT] = {lg_flat, 10, 0, LEAST_ROOM, 0},
    [GAPS] = {lg_gaps, 7, 1, 16, 0},
    [STAIRS] = {lg_stairs, 7, 1, 18, 1},
    [TUBES] = {lg_tubes, 8, 1, 12, 1},
    [CANNONS] = {lg_cannons, 1, 2, 14, 1},
    [HILLS] = {lg_hills, 10, 1, 12, 1},
    [PLATFORMS] = {lg_platforms, 5, 1, 34, 1},
    [DEAD_END] = {lg_dead_end, 2, 2, 0, 1},
    [LADDER] = {lg_ladder, 10, 0, 20, 0},
    [MOVING] = {lg_moving_platforms, 10, 0, 30, 0},
    [SWITCH] = {lg_switch, 10, 0, 24, 1},
    [KEY] = {lg_key, 10, 0, 24, 1},
    [PUZZLE] = {lg_puzzle, 10, 0, 0, 1},
};

static int frequency(const lg_options *o, int zone) {
    const int frequencies[ZONES] = {
        [FLAT] = 25, [GAPS] = o->gaps, [STAIRS] = o->stairs, [TUBES] = o->tubes,
        [CANNONS] = o->cannons, [HILLS] = o->hills, [PLATFORMS] = o->platforms,
        [DEAD_END] = o->dead_ends,
        [LADDER] = o->ladders, [MOVING] = o->moving_platforms, [SWITCH] = o->switches,
        [KEY] = o->keys, [PUZZLE] = o->puzzles,
    };
    return o->flat && zone != FLAT ? 0 : frequencies[zone];
}

static int columns_of(const builder *b, int zone) {
    return zone == DEAD_END ? lg_dead_end_columns(b)
         : zone == PUZZLE   ? lg_puzzle_columns(b)
                            : KINDS[zone].least_room;
}

static bool is_possible(const builder *b, int zone) {
    const lg_options *o = b->options;
    if (room(b) < columns_of(b, zone) || o->reach_up < KINDS[zone].least_reach)
        return false;
    switch (zone) {
    case GAPS: return gap_limit(b, 0) >= 1;
    case PLATFORMS: return gap_limit(b, 0) >= 2;
    case CANNONS: return b->x >= o->start_column + SAFE_COLUMNS && b->barrier != BARRIER_GAP;
    default: return true;
    }
}

/* ---- which zone is next ---------------------------------------------------------------------- */

typedef struct {
    int last;             /* the kind of the last zone */
    int taste[ZONES];     /* what this level likes, in percent */
    bool has_been[ZONES];
} rhythm;

static rhythm draw_rhythm(builder *b) {
    rhythm r = {.last = FLAT};
    for (int zone = 0; zone < ZONES; zone++)
        r.taste[zone] = zone == FLAT ? PERCENT : between(&b->terrain, 50, 200);
    return r;
}

/* A kind seldom comes twice in a row, and the first of an element sooner than the others. */
static int odds_of(const builder *b, const rhythm *r, int zone) {
    const zone_kind *kind = &KINDS[zone];
    int growth = kind->base + kind->slope * b->difficulty;
    int odds = frequency(b->options, zone) * growth * r->taste[zone];
    if (zone >= LADDER && !r->has_been[zone])
        odds *= 3;
    return !is_possible(b, zone) ? 0 : zone == r->last && zone != FLAT ? odds / 5 : odds;
}

static int pick(builder *b, const rhythm *r) {
    int odds[ZONES], total = 0;
    for (int zone = 0; zone < ZONES; zone++)
        total += odds[zone] = odds_of(b, r, zone);
    /* after a challenge there is a rest, the rarer the harder the level is */
    bool rests = chance(&b->terrain, larger(5, 70 - 4 * b->difficulty)) && r->last != FLAT;
    if (!total || rests)
        return FLAT;
    int drawn = below(&b->terrain, total), zone = 0;
    while (drawn >= odds[zone])
        drawn -= odds[zone++];
    return zone;
}

/* The start of a level is easier and its end harder than the whole. */
static void set_difficulty(builder *b) {
    int way = larger(1, b->goal - b->options->start_column), done = b->x - b->options->start_column;
    b->difficulty = b->options->difficulty * (70 + 50 * done / way) / PERCENT;
}

static void add_zones(builder *b, rhythm *r) {
    while (room(b) >= LEAST_ROOM) {
        set_difficulty(b);
        r->last = pick(b, r);
        r->has_been[r->last] = true;
        KINDS[r->last].build(b);
    }
    lay_ground(b, larger(0, room(b)), b->floor);
}

static void build_zones(builder *b) {
    rhythm r = draw_rhythm(b);
    b->goal = b->end;
    if (b->options->impossible) {
        b->end = lg_plan_barrier(b);
        add_zones(b, &r);
        b->end = b->goal;
        lg_put_barrier(b);
    }
    add_zones(b, &r);
}

/* ---- both ends ------------------------------------------------------------------------------- */

static void build_start(builder *b) {
    const lg_options *o = b->options;
    int highest = o->flat ? b->lowest : larger(b->highest, b->lowest - 2);
    int floor = between(&b->terrain, highest, b->lowest);
    lay_ground(b, o->start_column + RUN_IN + between(&b->terrain, 0, 3), floor);
    put(b, o->start_column, floor - 1, 'M');
}

/* Ground that goes up or down to the exit's floor in the columns that are left. */
static void lay_slope(builder *b, int columns, int floor) {
    for (int left = columns; left > 0; left--) {
        int way = floor - b->floor, step = (way + (way > 0 ? left - 1 : 1 - left)) / left;
        lay_ground(b, 1, larger(b->floor + step, b->floor - b->options->reach_up));
    }
}

/* A small fort behind the exit, where there is room for one. */
static void put_fort(builder *b, int x) {
    if (x + 6 > b->options->length || b->floor < 9)
        return;
    put_box(b, x, 5, b->floor - 3, b->floor - 1, 'S');
    put_box(b, x + 1, 3, b->floor - 5, b->floor - 4, 'S');
    for (int k = 0; k < 5; k += 2)
        put(b, x + k, b->floor - 4, 'S');
    for (int k = 1; k < 4; k += 2)
        put(b, x + k, b->floor - 6, 'S');
    put_box(b, x + 2, 1, b->floor - 2, b->floor - 1, '-');
}

static void build_exit(builder *b, int exit) {
    const lg_options *o = b->options;
    int floor = o->exit_row < 0 ? b->floor : o->exit_row + 1;
    lay_slope(b, larger(0, exit - RUN_OUT - b->x), floor);
    lay_ground(b, larger(0, o->length - b->x), b->floor);
    put_fort(b, exit + 2);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void clear(const lg_options *o, char *text) {
    memset(text, '-', lg_text_size(o));
    for (int row = 1; row <= o->height; row++)
        text[(size_t)row * ((size_t)o->length + 1) - 1] = '\n';
}

static builder begin(const lg_options *o, lg_workspace *workspace, char *text) {
    stream seeds = {o->seed};
    int lowest = o->height - 2, span = o->flat ? 0 : (o->height - 10) * o->relief / PERCENT;
    builder b = {.options = o, .workspace = workspace, .text = text, .lowest = lowest,
                 .highest = lowest - span, .floor = lowest, .target = lowest, .roofed = o->ceiling,
                 .barred_colour = -1};
    stream *streams[] = {&b.terrain, &b.items, &b.coins, &b.creatures, &b.roof};
    for (size_t k = 0; k < sizeof streams / sizeof *streams; k++)
        streams[k]->state = draw(&seeds);
    b.colour = below(&b.terrain, LG_COLOURS);
    return b;
}

/* Where the exit is, and the columns before it that lead from any floor to its own. */
static int exit_column(const lg_options *o) {
    enum { BEHIND = 9 };
    return o->exit_column < 0 ? o->length - BEHIND : o->exit_column;
}

static int slope_columns(const builder *b, int exit) {
    const lg_options *o = b->options;
    int between_ends = exit - RUN_OUT - o->start_column - RUN_IN;
    int wanted = o->height - 1 - o->exit_row, wall = o->impossible ? 3 : 0;
    return o->exit_row < 0 ? 0 : smaller(wanted, larger(0, between_ends / 2 - wall));
}

bool lg_generate(const lg_options *options, lg_workspace *workspace, char *text) {
    clear(options, text);
    builder b = begin(options, workspace, text);
    int exit = exit_column(options);
    b.end = exit - RUN_OUT - slope_columns(&b, exit);
    build_start(&b);
    build_zones(&b);
    build_exit(&b, exit);
    if (b.roofed)
        lg_roof(&b);
    put(&b, exit, options->exit_row < 0 ? b.floor - 1 : options->exit_row, 'F');
    lg_place_walkers(&b);
    return b.elements;
}
