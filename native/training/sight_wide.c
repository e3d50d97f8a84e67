/* What a learner sees beyond the cells around Mario: the ground ahead, and moving platforms. */
#include "training/sight.h"
#include "training/tile_nature.h"

#include "platformer/rules/ludus/elements.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 8, PIT = -127 };

static int8_t small(int value) {
    return (int8_t)(value < -127 ? -127 : value > 127 ? 127 : value);
}

static int cell_of(float pixel) {
    int whole = (int)(pixel * 0.0625f);
    return pixel < 0 ? whole - 1 : whole;
}

/* ---- the ground ---------------------------------------------------------------------------- */

/* The uppermost row at or below `row` where a platform is in a column, or the level's height. */
static int platform_row(const pf_world *w, int column, int row) {
    int nearest = w->level->height;
    for (int k = 0; k < pf_count_platforms(w->level); k++) {
        const pf_platform *p = pf_platforms(w->level) + k;
        int x, y;
        pf_platform_at(p, w->tick, &x, &y);
        int here = (y + 8) / PF_TILE;
        bool covers = x < (column + 1) * PF_TILE && x + p->width > column * PF_TILE;
        if (covers && here >= row && here < nearest)
            nearest = here;
    }
    return nearest;
}

/* How many steps the ground is above Mario's feet in a column: a wall up, a drop down, or a pit. */
static int8_t ground_in(const pf_world *w, int column, int feet) {
    int height = w->level->height, width = w->level->width;
    int inside = column < 0 ? 0 : column >= width ? width - 1 : column;
    const uint8_t *tiles = pf_tiles(w) + (size_t)inside * (size_t)height;
    int row = feet < 0 ? 0 : feet;
    if (row < height && tile_nature[tiles[row]] & TILE_BLOCKS) {
        while (row >= 0 && tile_nature[tiles[row]] & TILE_BLOCKS)
            row--;
        return small((feet - row) * STEP);
    }
    int floating = platform_row(w, column, row);
    while (row < floating && !(tile_nature[tiles[row]] & TILE_HOLDS))
        row++;
    return row >= height ? PIT : small((feet + 1 - row) * STEP);
}

static void see_ground(const pf_world *w, int8_t *out) {
    int first = cell_of(w->mario.body.x) - SIGHT_BEHIND, feet = cell_of(w->mario.body.y);
    for (int c = 0; c < SIGHT_PROFILE; c++)
        out[c] = ground_in(w, first + c, feet);
}

/* ---- platforms ----------------------------------------------------------------------------- */

typedef struct {
    const pf_platform *platform;
    int x, y, distance;
} placed;

static placed place(const pf_world *w, const pf_platform *p) {
    placed at = {.platform = p};
    pf_platform_at(p, w->tick, &at.x, &at.y);
    at.distance = abs(at.x + p->width / 2 - (int)w->mario.body.x);
    return at;
}

/* Where it is, where it goes, how wide it is, and how far it goes before it turns. */
static void describe(const pf_world *w, const placed *at, int8_t *out) {
    const pf_platform *p = at->platform;
    int along = p->way ? (p->start + w->tick) % (2 * p->way) : 0, forth = along < p->way ? 1 : -1;
    int moves = p->way ? forth * SIGHT_ONE : 0;
    out[0] = SIGHT_ONE;
    out[1] = small((at->x + p->width / 2 - (int)w->mario.body.x) / 2);
    out[2] = small((at->y - (int)w->mario.body.y) / 2);
    out[3] = (int8_t)(p->dx * moves);
    out[4] = (int8_t)(p->dy * moves);
    out[5] = small(p->width / 2);
    out[6] = small((along < p->way ? p->way - along : 2 * p->way - along) / 2);
}

/* The nearest platforms, nearest first. */
static void see_platforms(const pf_world *w, int8_t *out) {
    enum { FAR = 320 };
    placed nearest[SIGHT_PLATFORMS];
    int n = 0;
    for (int k = 0; k < pf_count_platforms(w->level); k++) {
        placed at = place(w, pf_platforms(w->level) + k);
        if (at.distance >= FAR || (n == SIGHT_PLATFORMS && at.distance >= nearest[n - 1].distance))
            continue;
        int rank = n < SIGHT_PLATFORMS ? n++ : n - 1;
        for (; rank > 0 && nearest[rank - 1].distance > at.distance; rank--)
            nearest[rank] = nearest[rank - 1];
        nearest[rank] = at;
    }
    for (int k = 0; k < n; k++)
        describe(w, &nearest[k], out + k * SIGHT_PLATFORM_FIELDS);
}

void sight_wide_fields(const pf_world *w, int8_t *out) {
    int8_t *ground = out + SIGHT_FIELDS, *platforms = ground + SIGHT_PROFILE;
    memset(platforms, 0, SIGHT_PLATFORMS * SIGHT_PLATFORM_FIELDS);
    sight_fields(w, out);
    see_ground(w, ground);
    see_platforms(w, platforms);
}
