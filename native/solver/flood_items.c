/* What Mario may have on his way: size, shells, keys and switches. */
#include "solver/flood.h"

unsigned sv_items_at_start(const sv_flood *f) {
    const pf_world *w = f->root;
    unsigned has = w->mario.large ? HAS_SIZE : 0;
    for (int colour = 0; colour < PF_COLOURS; colour++)
        if (pf_elements_of(w)->keys[colour])
            has |= (unsigned)HAS_KEY << colour;
    for (int k = 0; k < w->level->n_templates; k++)
        if (sv_has_shell(pf_templates(w->level)[k].kind))
            has |= HAS_SHELLS;
    for (int k = 0; k < w->n_sprites; k++) {
        int kind = pf_sprites(w)[k].kind;
        if (kind == PF_SHELL || sv_has_shell(kind))
            has |= HAS_SHELLS;
        if (kind == PF_MUSHROOM || kind == PF_FIRE_FLOWER)
            has |= HAS_SIZE;
    }
    return has;
}

/* Whether his body may cover, or his head may hit, something in this cell. */
static bool is_close(const sv_flood *f, int column, int row) {
    for (int aside = -1; aside <= 1; aside++)
        for (int below = 0; below <= 3; below++)
            if (is_inside(f, column + aside, row + below)
                && f->reached[cell_at(f, column + aside, row + below)])
                return true;
    return false;
}

static unsigned items_at(const sv_flood *f, int column, int row) {
    int tile = tile_at(f, column, row), key = sv_colour(tile, PF_KEY);
    int on = sv_colour(tile, PF_SWITCH), off = sv_colour(tile, PF_SWITCH_PRESSED);
    unsigned items = sv_ground(tile) & GROUND_POWER ? HAS_SIZE : 0;
    if (key >= 0)
        items |= (unsigned)HAS_KEY << key;
    if (on >= 0 || off >= 0)
        items |= (unsigned)HAS_SWITCH << (on >= 0 ? on : off);
    return items;
}

/* A shell may hit a block far from him, so any may give size. */
unsigned sv_items_within_reach(const sv_flood *f) {
    unsigned items = f->has;
    for (int column = 0; column < f->width; column++)
        for (int row = 0; row < f->height; row++) {
            unsigned here = items_at(f, column, row);
            bool by_shell = here == HAS_SIZE && f->has & HAS_SHELLS;
            if (here & ~items && (by_shell || is_close(f, column, row)))
                items |= here;
        }
    return items;
}

/* Puts mushrooms and flowers where blocks release them and where they are now. */
static void put_items(sv_flood *f) {
    for (int column = 0; column < f->width; column++)
        for (int row = 0; row < f->height; row++)
            if (sv_ground(tile_at(f, column, row)) & GROUND_POWER)
                sv_flood_put(f, (float)(16 * column + 9), (float)(16 * row - 1));
    for (int k = 0; k < f->root->n_sprites; k++) {
        const pf_sprite *s = pf_sprites(f->root) + k;
        if (s->kind == PF_MUSHROOM || s->kind == PF_FIRE_FLOWER)
            sv_flood_put(f, s->body.x, s->body.y);
    }
}

void sv_items_wedge(sv_flood *f) {
    sv_arc arc;
    sv_throw_arc(&arc, 10, 0.85f, 2);
    sv_body item = {&arc, 1.75f, CREATURE_SLACK, false, true};
    sv_flood_begin(f, &item);
    put_items(f);
    sv_flood_spread(f, &item);
    for (int k = 0; k < f->n_cells; k++)
        if (f->reached[k])
            sv_flood_wedge_around(f, k / f->rows, row_of(f, k));
}
