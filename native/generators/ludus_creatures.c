/* Who walks where. */
#include "generators/ludus_builder.h"

#include <string.h>

void lg_add_places(builder *b, int x, int n, int floor, bool low) {
    for (int column = x; column < x + n && b->n_places < LG_MOST_PLACES; column++)
        if (is_inside(b, column, floor - 1))
            b->workspace->places[b->n_places++] =
                (lg_place){(int16_t)column, (uint8_t)(floor - 1), low};
}

/* Creatures stand where nothing else is, not even a hill: a cell shows one thing only. */
static bool is_free(const builder *b, const lg_place *place) {
    return look(b, place->column, place->row) == '-';
}

static bool is_walker(char c) {
    return c && strchr("gkryGKRY", c);
}

static void put_walker(builder *b, const lg_place *place, int kind) {
    static const char PLAIN[] = "gkry", WINGED[] = "GKRY";
    bool winged = chance(&b->creatures, b->options->winged) && !place->low;
    put(b, place->column, place->row, winged ? WINGED[kind] : PLAIN[kind]);
}

/* Puts as many of a kind as were asked for, evenly over all places that are still free. */
static void put_counted(builder *b, int kind, int wanted) {
    int left = 0;
    for (int k = 0; k < b->n_places; k++)
        left += is_free(b, &b->workspace->places[k]);
    for (int k = 0; k < b->n_places && wanted > 0; k++) {
        const lg_place *place = &b->workspace->places[k];
        if (!is_free(b, place))
            continue;
        if (below(&b->creatures, left--) < wanted) {
            put_walker(b, place, kind);
            wanted--;
        }
    }
}

/* Whether a jump gets over one of a kind: koopas are two tiles high. */
static bool can_be_passed(const lg_options *o, int kind) {
    return o->reach_up >= (kind == LG_GREEN_KOOPA || kind == LG_RED_KOOPA ? 2 : 1);
}

/* Koopas and spikies grow more likely with the difficulty. Returns -1 if there are no kinds. */
static int draw_kind(builder *b) {
    const lg_options *o = b->options;
    int d = o->difficulty, ramp[LG_WALKERS] = {10, 3 + d, 2 + d, 1 + d};
    int odds[LG_WALKERS], total = 0;
    for (int kind = 0; kind < LG_WALKERS; kind++)
        total += odds[kind] =
            o->counts[kind] < 0 && can_be_passed(o, kind) ? o->weights[kind] * ramp[kind] : 0;
    if (!total)
        return -1;
    int drawn = below(&b->creatures, total), kind = 0;
    while (drawn >= odds[kind])
        drawn -= odds[kind++];
    return kind;
}

/* Single walkers and troops: for some columns behind the first of a troop others join it. */
static void put_by_density(builder *b) {
    enum { TROOP_COLUMNS = 6 };
    const lg_options *o = b->options;
    int per_mille = o->creatures * (24 + 15 * o->difficulty) / 50, troop = 0;
    for (int k = 0; k < b->n_places; k++, troop--) {
        const lg_place *place = &b->workspace->places[k];
        bool leads = below(&b->creatures, 1000) < per_mille;
        bool joins = chance(&b->creatures, 20 + o->difficulty) && troop > 0;
        bool follows = is_walker(look(b, place->column - 1, place->row));
        if (!(leads || joins) || !is_free(b, place) || follows)
            continue;
        int kind = draw_kind(b);
        if (kind < 0)
            return;
        put_walker(b, place, kind);
        troop = leads ? TROOP_COLUMNS : troop;
    }
}

void lg_place_walkers(builder *b) {
    const lg_options *o = b->options;
    for (int kind = 0; kind < LG_WALKERS; kind++)
        if (o->counts[kind] > 0)
            put_counted(b, kind, o->counts[kind]);
    put_by_density(b);
}
