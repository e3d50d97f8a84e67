/* Where Mario might get to at all: floods until he finds nothing more that opens a way. */
#include "solver/flood.h"
#include "solver/solver.h"

#include <string.h>

/* Mario may stand up wherever he stands, grow where a mushroom is, and be wedged in to begin with.
 * Lifted, he is pushed in. */
static void wedge_mario(sv_flood *f) {
    const pf_body *mario = &f->root->mario.body;
    memset(f->wedge, 0, (size_t)f->n_cells);
    sv_flood_wedge_around(f, (int)(mario->x / 16), (int)floorf(mario->y / 16));
    if (f->has & HAS_SIZE)
        sv_items_wedge(f);
    for (int k = 0; k < f->n_cells; k++)
        if (f->wedges && (f->support[2 * k] != NOWHERE || f->support[2 * k + 1] != NOWHERE))
            f->wedge[k] = 1;
}

/* Floods with Mario, who has what f->has says. */
static void flood_mario(sv_flood *f, sv_creatures *c) {
    const pf_physics *p = &f->root->physics;
    sv_flood_read_level(f);
    sv_creatures_spread(c, f);
    wedge_mario(f);
    bool bounces = sv_creatures_support(c, f);
    sv_arc arc;
    if (bounces && p->stomp_ticks > p->jump_ticks)
        sv_jump_arc(&arc, p, p->stomp_ticks, false);
    else
        sv_jump_arc(&arc, p, p->jump_ticks, true);
    float speed = sv_top_speed(p) + (pf_count_platforms(f->root->level) > 0);
    sv_body mario = {&arc, speed, MARIO_SLACK, true, false};
    sv_flood_begin(f, &mario);
    sv_flood_put(f, f->root->mario.body.x, f->root->mario.body.y);
    sv_flood_spread(f, &mario);
}

static bool exit_is_reached(const sv_flood *f) {
    for (int k = cell_at(f, f->root->level->exit_x, -1); k < f->n_cells; k++)
        if (f->reached[k])
            return true;
    return false;
}

/* Whether there is time to run to the exit at top speed. */
static bool is_in_time(const pf_world *w) {
    float way = (float)(16 * w->level->exit_x) - w->mario.body.x;
    float speed = sv_top_speed(&w->physics) + (pf_count_platforms(w->level) > 0);
    return !w->timer || way / speed <= (float)(w->timer / w->physics.tick_cost) + 2;
}

static bool flood_until_settled(sv_flood *f, sv_creatures *c) {
    f->has = sv_items_at_start(f);
    for (bool more = true; more && !f->failed;) {
        flood_mario(f, c);
        unsigned items = sv_items_within_reach(f);
        more = items != f->has;
        f->has = items;
    }
    return !f->failed;
}

bool sv_may_finish(const pf_world *root, uint8_t *cells) {
    const pf_level *level = root->level;
    int rows = level->height + SV_ROWS_ABOVE + SV_ROWS_BELOW;
    sv_flood f = {.root = root, .width = level->width, .height = level->height, .rows = rows,
                  .n_cells = level->width * rows, .n_heights = 16 * rows - HIGHEST};
    sv_creatures c = {0};
    memset(cells, 1, (size_t)f.n_cells);
    bool too_high = root->mario.body.y < HIGHEST + 64;
    if (f.n_cells > MOST_LABELS / 64 || too_high || root->status != PF_RUNNING)
        return true;
    bool good = sv_flood_allocate(&f) && sv_creatures_allocate(&c, f.n_cells)
                && flood_until_settled(&f, &c);
    bool finishes = !good || (exit_is_reached(&f) && is_in_time(root));
    if (good)
        for (int k = 0; k < f.n_cells; k++)
            cells[k] = f.reached[k] != 0;
    sv_flood_free(&f);
    sv_creatures_free(&c);
    return finishes;
}
