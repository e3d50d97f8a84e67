/* Zones of plain ground and what stands on it: gaps, stairs, tubes, cannons, hills, platforms. */
#include "generators/ludus_builder.h"

enum { TALL = 22 }; /* rows of a level that has more above its ground than a screen shows */

static int floor_within(const builder *b, int floor) {
    return smaller(b->lowest, larger(b->highest, floor));
}

int lg_next_floor(builder *b) {
    stream *s = &b->terrain;
    int tall = b->options->height >= TALL;
    if (b->x >= b->turn_at) {
        /* tall levels go all the way up and down */
        bool up = b->floor - b->highest > b->lowest - b->floor;
        int middle = (b->highest + b->lowest) / 2;
        b->target = !tall ? between(s, b->highest, b->lowest)
                    : up  ? between(s, b->highest, middle)
                          : between(s, middle, b->lowest);
        b->turn_at = b->x + between(s, 16, 48) * b->options->height / 16;
    }
    int way = b->target - b->floor, step = between(s, tall, 3);
    if (way == 0 && chance(s, 40))
        way = between(s, -1, 1);
    int rise = smaller(step, smaller(-way, wall_limit(b)));
    int wanted = way < 0 ? b->floor - rise : b->floor + smaller(step, way);
    /* ground above the highest, where a ladder led, goes down step by step */
    return b->floor < b->highest ? larger(b->floor, smaller(wanted, b->lowest))
                                 : floor_within(b, wanted);
}

/* ---- flat ------------------------------------------------------------------------------------ */

void lg_flat(builder *b) {
    int n = smaller(between(&b->terrain, 5, 12 - b->difficulty / 4), room(b)), x = b->x;
    lay_ground(b, n, lg_next_floor(b));
    lg_decorate(b, x, n, b->floor);
    lg_add_places(b, x + 1, n - 2, b->floor, false);
}

/* ---- gaps ------------------------------------------------------------------------------------ */

/* A gap and the ground behind it. */
static void put_gap(builder *b, int landing) {
    stream *s = &b->terrain;
    int before = b->floor, floor = lg_next_floor(b), limit = gap_limit(b, before - floor);
    if (limit < 1) {
        floor = before;
        limit = gap_limit(b, 0);
    }
    int width = smaller(between(s, smaller(2, limit), limit), room(b) - landing);
    if (width < 1)
        return;
    lg_coin_arc(b, b->x - 1, width + 2, smaller(before, floor) - 2);
    b->x += width;
    int x = b->x;
    lay_ground(b, landing, floor);
    if (landing >= 4)
        lg_add_places(b, x + 1, landing - 1, floor, false);
}

void lg_gaps(builder *b) {
    stream *s = &b->terrain;
    lay_ground(b, smaller(between(s, 2, 4), room(b)), b->floor);
    bool second = b->difficulty >= 2 && chance(s, 25 + 3 * b->difficulty);
    bool third = chance(s, 2 * b->difficulty);
    int n = 1 + second + third;
    for (int k = 0; k < n && room(b) >= 8; k++)
        put_gap(b, k == n - 1 ? between(s, 4, 6) : between(s, 3, 6 - b->difficulty / 6));
}

/* ---- stairs ---------------------------------------------------------------------------------- */

/* The k-th step of a flight that goes up from column x, or down from there. */
static void put_step(builder *b, int x, int steps) {
    put_box(b, x, 1, b->floor - steps, b->floor - 1, '#');
}

static void put_pyramid(builder *b, int steps, int middle, bool open) {
    int x = b->x, floor = b->floor;
    lay_ground(b, steps, floor);
    for (int k = 1; k <= steps; k++)
        put_step(b, x + k - 1, k);
    if (open) {
        lg_coin_arc(b, b->x - 1, middle + 2, floor - steps - 2);
        b->x += middle;
    } else {
        lay_ground(b, middle, floor);
        for (int k = 0; k < middle; k++)
            put_step(b, b->x - middle + k, steps);
        lg_coin_row(b, b->x - middle, middle, floor - steps - 2);
    }
    lay_ground(b, steps, floor);
    for (int k = 1; k <= steps; k++)
        put_step(b, b->x - k, k);
}

/* Two flights that face each other, and what walks between them. */
static void put_valley(builder *b, int steps, int middle) {
    int floor = b->floor, x = b->x + 2 * steps;
    for (int side = 0; side < 2; side++) {
        put_pyramid(b, steps, 0, false);
        if (side == 0)
            lay_ground(b, middle, floor);
    }
    lg_coin_row(b, x + 1, middle - 2, floor - 3);
    lg_add_places(b, x, middle, floor, false);
}

/* Ground that rises step by step to a new floor. */
static void put_terraces(builder *b, int steps) {
    for (int k = 0; k < steps; k++)
        lay_ground(b, 2, b->floor - 1);
    lay_ground(b, 2, b->floor);
}

void lg_stairs(builder *b) {
    stream *s = &b->terrain;
    int most_steps = smaller(smaller(3 + b->difficulty / 5, 6), b->floor - 7);
    int steps = between(s, 2, larger(2, most_steps)), kind = below(s, 4), gap = gap_limit(b, 0);
    lay_ground(b, 2, b->floor);
    if (kind == 0 && b->floor - steps >= b->highest && room(b) >= 2 * steps + 4)
        put_terraces(b, steps);
    else if (kind == 1 && b->options->gaps && gap >= 2 && room(b) >= 2 * steps + gap + 4)
        put_pyramid(b, steps, between(s, 2, gap), true);
    else if (kind == 2 && room(b) >= 4 * steps + 8)
        put_valley(b, steps, between(s, 4, smaller(8, room(b) - 4 * steps - 4)));
    else if (room(b) >= 2 * steps + 4)
        put_pyramid(b, steps, between(s, 1, 3), false);
    lay_ground(b, smaller(2, room(b)), b->floor);
}

/* ---- tubes ----------------------------------------------------------------------------------- */

/* Piranhas come where a jump gets over them. */
static void put_tube(builder *b, int x, int top, int foot) {
    put_box(b, x, 2, top, foot, 't');
    if (chance(&b->creatures, b->options->piranhas) && b->options->reach_up >= 2)
        put(b, x, top, 'T');
}

static void put_tubes_on_ground(builder *b, int n, int limit) {
    stream *s = &b->terrain;
    for (int k = 0; k < n && room(b) >= 7; k++) {
        int x = b->x + (k ? 0 : 1), before = between(s, 3, smaller(6, room(b) - 4)) - (k ? 0 : 2);
        int top = b->floor - between(s, smaller(2, limit), limit);
        lay_ground(b, before + 2, b->floor);
        put_tube(b, b->x - 2, top, b->floor - 1);
        if (before >= 3)
            lg_add_places(b, x, before - 1, b->floor, false);
        lg_coin_row(b, b->x - 2, 2, top - 2);
    }
    lay_ground(b, smaller(2, room(b)), b->floor);
}

/* Tubes that rise from a pit, to be jumped from one to the next. */
static void put_tubes_in_pit(builder *b, int n, int limit) {
    stream *s = &b->terrain;
    int floor = b->floor, top = floor;
    for (int k = 0; k < n && room(b) >= 14; k++) {
        int next = floor - between(s, 0, smaller(2, limit)), gap = gap_limit(b, top - next);
        b->x += larger(1, smaller(3, gap));
        put_tube(b, b->x, next, b->options->height - 1);
        lg_coin_row(b, b->x, 2, next - 3);
        b->x += 2;
        top = next;
    }
    b->x += smaller(3, gap_limit(b, 0));
    lay_ground(b, 3, floor);
}

void lg_tubes(builder *b) {
    stream *s = &b->terrain;
    int limit = smaller(b->difficulty < 4 ? 3 : 4, b->options->reach_up), n = between(s, 1, 4);
    lay_ground(b, 1, lg_next_floor(b));
    bool in_pit = chance(s, 25) && b->options->gaps && b->difficulty >= 2 && n >= 2;
    if (in_pit && gap_limit(b, 2) >= 1 && room(b) >= 16) {
        lay_ground(b, 2, b->floor);
        put_tubes_in_pit(b, n, limit);
    } else {
        put_tubes_on_ground(b, n, limit);
    }
}

/* ---- cannons --------------------------------------------------------------------------------- */

static void put_cannon(builder *b, int x, int height) {
    for (int k = 0; k < height; k++)
        put(b, x, b->floor - height + k, k ? 'b' : 'B');
    if (height == 4 && b->difficulty >= 8)
        put(b, x, b->floor - 2, 'B');
}

void lg_cannons(builder *b) {
    stream *s = &b->terrain;
    int limit = smaller(b->difficulty < 6 ? 3 : 4, b->options->reach_up);
    bool second = chance(s, 40), third = chance(s, 4 * b->difficulty);
    int n = 1 + second + third;
    lay_ground(b, 2, lg_next_floor(b));
    for (int k = 0; k < n && room(b) >= 8; k++) {
        int height = between(s, 1, limit), behind = between(s, 4, 6), base = 0;
        /* some stand on a block, and are higher by it */
        if (height < limit && chance(s, 30))
            base = 1;
        lay_ground(b, 1, b->floor);
        b->floor -= base;
        put_cannon(b, b->x - 1, height);
        b->floor += base;
        if (base)
            put(b, b->x - 1, b->floor - 1, '#');
        int x = b->x;
        lay_ground(b, behind, b->floor);
        lg_add_places(b, x + 1, behind - 1, b->floor, false);
    }
    lay_ground(b, smaller(2, room(b)), b->floor);
}

/* ---- hills ----------------------------------------------------------------------------------- */

static void put_hill(builder *b, int x, int n, int top) {
    put_box(b, x, n, top, top, '%');
    put_box(b, x, n, top + 1, b->floor - 1, '|');
}

/* Hills one in front of the other, each lower than the one behind it by a jump. */
static int put_hill_group(builder *b, int x, int space) {
    stream *s = &b->terrain;
    int step = smaller(3, b->options->reach_up);
    int most = 3 + (b->options->height - 16) / 8;
    int tallest = larger(1, smaller(most, (b->floor - 4) / step)), tiers = between(s, 1, tallest);
    int n = smaller(between(s, 4, 8), space), left = x;
    bool rightwards = chance(s, 50);
    while (tiers > 1 && n + 3 * (tiers - 1) > space)
        tiers--;
    if (!rightwards)
        left += 3 * (tiers - 1);
    int group_end = x + n + 3 * (tiers - 1);
    for (int tier = tiers; tier >= 1; tier--) {
        int top = b->floor - step * tier + (step == 3 && chance(s, 30));
        put_hill(b, left, n, top);
        if (chance(s, 60))
            lg_add_places(b, left, n, top, false);
        lg_coin_row(b, left + 1, n - 2, top - 1);
        if (rightwards)
            left += 3;
        else
            left -= 3;
    }
    return group_end;
}

/* Planks up to the sky, right and left in turn, with a reward at their top. */
static int put_tower(builder *b, int x) {
    enum { PLANK_COLUMNS = 4, COLUMNS = 9 };
    stream *s = &b->terrain;
    int step = smaller(3, b->options->reach_up), tiers = between(s, 3, (b->floor - 5) / step);
    for (int tier = 1; tier <= tiers; tier++) {
        int left = x + (tier % 2 ? 0 : COLUMNS - PLANK_COLUMNS), top = b->floor - tier * step;
        put_box(b, left, PLANK_COLUMNS, top, top, '%');
        if (tier == tiers || chance(s, 30))
            lg_coin_row(b, left, PLANK_COLUMNS, top - 1);
    }
    return x + COLUMNS;
}

void lg_hills(builder *b) {
    stream *s = &b->terrain;
    int n = smaller(between(s, 10, 24), room(b)), x = b->x + 1;
    lay_ground(b, n, lg_next_floor(b));
    while (b->x - 1 - x >= 4) {
        bool towers = b->options->height >= TALL && chance(s, 40) && b->x - 1 - x >= 9;
        x = towers ? put_tower(b, x) : put_hill_group(b, x, b->x - 1 - x);
        x += between(s, 1, 5);
    }
    lg_add_places(b, b->x - n + 1, n - 2, b->floor, false);
}

/* ---- platforms over pits --------------------------------------------------------------------- */

enum island_kind { PILLAR, TREE, SLAB, PLANK, ISLAND_KINDS };

static void put_island(builder *b, enum island_kind kind, int n) {
    int x = b->x, floor = b->floor, bottom = b->options->height - 1;
    switch (kind) {
    case PILLAR:
        put_box(b, x, n, floor, bottom, 'X');
        break;
    case TREE:
        put_box(b, x, n, floor, floor, '%');
        put_box(b, x + (n > 2), n > 2 ? n - 2 : n, floor + 1, bottom, '|');
        break;
    case SLAB:
        put_box(b, x, n, floor, floor, '#');
        break;
    default:
        put_box(b, x, n, floor, floor, '%');
    }
    b->x += n;
}

/* One gap and the island behind it. */
static void put_stop(builder *b, enum island_kind kind) {
    stream *s = &b->terrain;
    int up = smaller(2, wall_limit(b)), before = b->floor;
    int floor = smaller(b->lowest, larger(larger(6, b->highest - 2), before + between(s, -up, 2)));
    int limit = gap_limit(b, before - floor), n = between(s, 3, larger(3, 6 - b->difficulty / 4));
    n -= b->difficulty >= 8 && chance(s, 40);
    if (limit < 1) {
        floor = before;
        limit = gap_limit(b, 0);
    }
    b->x += between(s, smaller(2, limit), limit);
    b->floor = floor;
    put_island(b, kind, n);
    lg_coin_row(b, b->x - n, n, floor - (kind == PILLAR ? 2 : 1));
    if (n >= 4 && chance(s, 50))
        lg_add_places(b, b->x - n + 1, n - 2, floor, false);
}

void lg_platforms(builder *b) {
    stream *s = &b->terrain;
    enum island_kind kind = (enum island_kind)below(s, ISLAND_KINDS);
    int stops = between(s, 1, 3 + b->difficulty / 6);
    lay_ground(b, 3, b->floor);
    /* a stop takes up to 8 + 6 columns, and the last gap with its landing up to 8 + 4 */
    for (int k = 0; k < stops && room(b) >= 26; k++)
        put_stop(b, kind);
    int floor = floor_within(b, larger(b->floor, b->highest)), rise = b->floor - floor;
    b->x += larger(0, smaller(between(s, 2, gap_limit(b, rise)), room(b) - 4));
    lay_ground(b, smaller(4, room(b)), floor);
}
