/* Which creatures the tunable generator places, and where. */
#include "generators/tunable.h"

static const char LETTERS[GEN_TUNABLE_KINDS] = {
    [GEN_G] = 'g', [GEN_GW] = 'G', [GEN_RK] = 'r', [GEN_RKW] = 'R', [GEN_GK] = 'k',
    [GEN_GKW] = 'K', [GEN_S] = 'y', [GEN_SW] = 'Y', [GEN_GWW] = GEN_WAVE_GOOMBA,
};

/* The bucket of a kind's name in a hash set of 16: it decides the order of a stock. */
static const uint8_t BUCKETS[GEN_TUNABLE_KINDS] = {
    [GEN_G] = 7, [GEN_GW] = 0, [GEN_RK] = 9, [GEN_RKW] = 15, [GEN_GK] = 4,
    [GEN_GKW] = 2, [GEN_S] = 3, [GEN_SW] = 4, [GEN_GWW] = 6,
};

/* ---- the stock of a list --------------------------------------------------------------------- */

static void stock_kind(creature_stock *stock, int kind) {
    int at = stock->n++;
    for (; at > 0 && BUCKETS[stock->kinds[at - 1]] > BUCKETS[kind]; at--)
        stock->kinds[at] = stock->kinds[at - 1];
    stock->kinds[at] = kind;
}

static void unstock_kind(creature_stock *stock, int at) {
    stock->n--;
    for (; at < stock->n; at++)
        stock->kinds[at] = stock->kinds[at + 1];
}

void tunable_fill_stock(tunable *t) {
    const gen_tunable_options *o = &t->options;
    t->stock.n = 0;
    for (int k = 0; k < o->n_listed; k++) {
        t->stock.left[o->listed[k].kind] = o->listed[k].count ? o->listed[k].count : INT32_MAX;
        stock_kind(&t->stock, o->listed[k].kind);
    }
}

static int take_from_stock(tunable *t) {
    int at = java_below(&t->creatures, t->stock.n), kind = t->stock.kinds[at];
    if (--t->stock.left[kind] == 0)
        unstock_kind(&t->stock, at);
    return kind;
}

static void give_back(tunable *t, int kind) {
    if (t->stock.left[kind]++ == 0)
        stock_kind(&t->stock, kind);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static int draw_any_kind(tunable *t) {
    int kind = java_below(&t->creatures, GEN_TUNABLE_KINDS);
    if (t->options.difficulty < 1)
        return GEN_G;
    return t->options.difficulty < 3 ? java_below(&t->creatures, GEN_S) : kind;
}

/* ---- placing --------------------------------------------------------------------------------- */

static void put_counted(tunable *t, int x, int y, uint8_t letter) {
    put_creature(t->level, x, y, letter);
    t->counts->creatures++;
}

void tunable_add_creature(tunable *t, int x, int y) {
    bool listed = t->options.creatures == GEN_CREATURES_LISTED;
    if (t->options.creatures == GEN_CREATURES_OFF)
        return;
    x += (int)java_gaussian(&t->jitter);
    if (listed && t->stock.n == 0)
        return;
    int kind = listed ? take_from_stock(t) : draw_any_kind(t);
    if (inside(t->level, x, y))
        put_counted(t, x, y, (uint8_t)LETTERS[kind]);
    else if (listed)
        give_back(t, kind);
}

void tunable_add_piranha(tunable *t, int x, int y) { put_counted(t, x, y, GEN_PIRANHA); }

static bool is_free(const gen_level *level, int x, int y) {
    return !inside(level, x, y) || !level->creatures[cell_at(level, x, y)];
}

void tunable_populate_column(tunable *t, int x) {
    int most_here = t->options.difficulty + 1, placed = 0;
    for (int y = t->level->height; y > 0; y--) {
        if (get(t->level, x, y) != 0 || java_below(&t->creatures, most_here) + 1 <= most_here / 2)
            continue;
        if (placed < most_here && is_free(t->level, x, y)) {
            tunable_add_creature(t, x, y);
            placed++;
        }
    }
}
