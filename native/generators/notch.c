/* The zones of the Notch generators. Every draw has its place: a level is its draws in order. */
#include "generators/notch.h"

/* ---- creatures and blocks -------------------------------------------------------------------- */

static char draw_walker(notch *n) {
    int kind = notch_draw(n, 4);
    if (n->difficulty < 1)
        return 'g';
    if (n->difficulty < 3)
        kind = n->style->easy_walker + notch_draw(n, 3);
    return n->style->walkers[kind];
}

static void add_walker(notch *n, int x, int row) {
    char letter = draw_walker(n);
    bool winged = notch_draw(n, 35) < n->difficulty;
    put_creature(n->level, x, row, (uint8_t)(winged ? letter - 'a' + 'A' : letter));
}

/* Columns x0 .. x1 - 1. */
static void add_walkers(notch *n, int x0, int x1, int row) {
    for (int x = x0; x < x1; x++)
        if (notch_draw(n, 35) < n->difficulty + 1)
            add_walker(n, x, row);
}

static uint8_t draw_block(notch *n, bool at_end) {
    if (!at_end && notch_draw(n, 3) == 0)
        return n->tiles->question[notch_draw(n, 4) != 0];
    if (notch_draw(n, 4) == 0)
        return n->tiles->brick[notch_draw(n, 4) != 0];
    return n->tiles->plain_brick;
}

/* A span of columns that is drawn anew for coins and for blocks. */
typedef struct {
    int first, end;
} span;

static span draw_span(notch *n, int x0, int x1) {
    int start = notch_draw(n, 4), end = notch_draw(n, 4);
    return (span){x0 + 1 + start, x1 - 1 - end};
}

static void add_coins(notch *n, int x0, int x1, int floor) {
    span coins = draw_span(n, x0, x1);
    if (floor - 2 <= 0 || coins.end - coins.first <= 1)
        return;
    for (int x = coins.first; x < coins.end; x++)
        put(n->level, x, floor - 2, n->tiles->coin);
}

static void add_blocks(notch *n, int x0, int x1, int floor) {
    span blocks = draw_span(n, x0, x1);
    if (floor - 4 <= 0 || blocks.end - blocks.first <= 2)
        return;
    for (int x = blocks.first; x < blocks.end; x++)
        put(n->level, x, floor - 4, draw_block(n, x == x0 + 1 || x == x1 - 2));
}

static void decorate(notch *n, int x0, int x1, int floor) {
    if (floor < 1)
        return;
    add_walkers(n, x0 + 1, x1 - 1, floor - 1);
    add_coins(n, x0, x1, floor);
    add_blocks(n, x0, x1, floor);
}

static void put_ground(notch *n, int x, int floor) {
    put_column(n->level, x, floor, n->level->height - 1, n->tiles->ground);
}

/* Columns x0 .. x1 - 1. */
static void put_plain(notch *n, int x0, int x1, int floor) {
    for (int x = x0; x < x1; x++)
        put_ground(n, x, floor);
}

/* ---- straights ------------------------------------------------------------------------------- */

static int add_straight(notch *n, int x0, int max_length) {
    int length = least(notch_draw(n, 10) + 2, max_length), floor = notch_floor(n);
    put_plain(n, x0, x0 + length, floor);
    if (length > 5)
        decorate(n, x0, x0 + length, floor);
    return length;
}

int notch_safe_start(notch *n) {
    notch_draw(n, 10); /* the length it would have were it not safe */
    int length = least(10 + notch_draw(n, 5), n->level->width);
    put_plain(n, 0, length, notch_floor(n));
    return length;
}

/* ---- hills ----------------------------------------------------------------------------------- */

enum { MOST_HILLS_LENGTH = 19 };

/* Where hills of a zone begin and end, by column of the zone, with room for a neighbour. */
typedef struct {
    bool taken[MOST_HILLS_LENGTH + 3];
} edges;

/* Takes both edges of a hill unless another hill's edge is there or next to it, outside. */
static bool take_edges(edges *e, int first, int last) {
    bool *taken = e->taken + 1;
    if (taken[first] || taken[last] || taken[first - 1] || taken[last + 1])
        return false;
    taken[first] = taken[last] = true;
    return true;
}

/* Adds a hill with its top at this row and returns whether another may follow. Where the zone is
 * too short for the drawn hill (the reference breaks off there with an error), no more follow. */
static bool add_hill(notch *n, edges *e, int x0, int length, int top, int floor) {
    int wide = notch_draw(n, 5) + 3, places = length - wide - 2;
    if (places <= 0)
        return false;
    int first = x0 + 1 + notch_draw(n, places), end = first + wide;
    if (!take_edges(e, first - x0, end - x0))
        return false;
    add_walkers(n, first, end, top - 1);
    bool last = notch_draw(n, 4) == 0;
    if (last)
        decorate(n, first - 1, end + 1, top);
    gen_put_hill(n->level, n->tiles, first, end, top, floor);
    return !last;
}

static int add_hills(notch *n, int x0, int max_length) {
    int length = least(notch_draw(n, 10) + 10, max_length), floor = notch_floor(n), top = floor;
    edges e = {{false}};
    put_plain(n, x0, x0 + length, floor);
    add_walkers(n, x0 + 1, x0 + length - 1, floor - 1);
    do
        top -= 2 + notch_draw(n, 3);
    while (top > 0 && add_hill(n, &e, x0, length, top, floor));
    return length;
}

/* ---- tubes ----------------------------------------------------------------------------------- */

static void put_flower(notch *n, int x, int top, int floor) {
    int last = n->style->flower_fills_pipe ? floor - 1 : top;
    for (int y = top; y <= last; y++)
        put_creature(n->level, x, y, GEN_PIRANHA);
}

static int add_tubes(notch *n, int x0, int max_length) {
    int length = least(notch_draw(n, 10) + 5, max_length), floor = notch_floor(n);
    int tube = x0 + 1 + notch_draw(n, 4), top = floor - notch_draw(n, 2) - 2;
    for (int x = x0; x < x0 + length; x++) {
        if (x > tube + 1) {
            tube += 3 + notch_draw(n, 4);
            top = floor - notch_draw(n, 2) - 2;
        }
        if (tube >= x0 + length - 2)
            tube += 10;
        bool flower = x == tube && notch_draw(n, 11) < n->difficulty + 1;
        put_ground(n, x, floor);
        if (x == tube || x == tube + 1)
            gen_put_pipe_column(n->level, n->tiles, x, top, floor, x > tube);
        if (flower)
            put_flower(n, x, top, floor);
    }
    return length;
}

/* ---- jumps ----------------------------------------------------------------------------------- */

static int add_jump(notch *n, int x0) {
    int side = notch_draw(n, 4) + 2, length = 2 * side + notch_draw(n, 2) + 2;
    bool stairs = notch_draw(n, 3) == 0;
    gen_gap_shape gap = {x0, x0 + length, side, notch_floor(n), stairs};
    for (int x = x0; x < gap.x1; x++) {
        if (gen_is_in_gap(&gap, x))
            continue;
        gen_put_stairs(n->level, n->tiles, &gap, x);
        put_ground(n, x, gap.floor);
    }
    return length;
}

/* ---- cannons --------------------------------------------------------------------------------- */

static int add_cannons(notch *n, int x0, int max_length) {
    int length = least(notch_draw(n, 10) + 2, max_length), floor = notch_floor(n);
    int cannon = x0 + 1 + notch_draw(n, 4);
    for (int x = x0; x < x0 + length; x++) {
        if (x > cannon)
            cannon += 2 + notch_draw(n, 4);
        if (cannon == x0 + length - 1)
            cannon += 10;
        int top = floor - notch_draw(n, 4) - 1;
        put_ground(n, x, floor);
        if (x == cannon)
            gen_put_cannon(n->level, n->tiles, x, top, floor);
    }
    return length;
}

/* ---- levels ---------------------------------------------------------------------------------- */

static gen_zone_odds odds_at(int difficulty, int type) {
    int weights[NOTCH_ZONES] = {
        [NOTCH_STRAIGHT] = 20,
        [NOTCH_HILLS] = type == GEN_OVERGROUND ? 10 : 0,
        [NOTCH_TUBES] = 2 + difficulty,
        [NOTCH_JUMP] = 2 * difficulty,
        [NOTCH_CANNONS] = most(-10 + 5 * difficulty, 0),
    };
    return gen_odds_of(weights, NOTCH_ZONES);
}

notch notch_begin(gen_level *level, const notch_style *style, const gen_notch_options *options) {
    gen_clear(level);
    return (notch){.level = level,
                   .style = style,
                   .tiles = style->tiles,
                   .random = java_seeded(options->seed),
                   .difficulty = options->difficulty,
                   .type = options->type,
                   .odds = odds_at(options->difficulty, options->type)};
}

int notch_add_zone(notch *n, int x0, int max_length) {
    switch (gen_draw_zone(&n->random, &n->odds)) {
    case NOTCH_STRAIGHT: return add_straight(n, x0, max_length);
    case NOTCH_HILLS: return add_hills(n, x0, max_length);
    case NOTCH_TUBES: return add_tubes(n, x0, max_length);
    case NOTCH_JUMP: return add_jump(n, x0);
    default: return add_cannons(n, x0, max_length);
    }
}

void notch_add_ceiling(notch *n) {
    int thickness = 0, columns_left = 0;
    if (n->type == GEN_OVERGROUND)
        return;
    put_column(n->level, 0, 0, n->level->height - 1, n->tiles->ceiling);
    for (int x = 0; x < n->level->width; x++) {
        if (columns_left-- <= 0 && x > 4) {
            thickness = notch_draw(n, 4);
            columns_left = notch_draw(n, 4) + 4;
        }
        if (x > 4)
            put_column(n->level, x, 0, thickness, n->tiles->ceiling);
    }
}
