/* Creatures that Mario can bounce off: they flood the level as he does, with bounds of their own. */
#include "solver/flood.h"

#include <stdlib.h>
#include <string.h>

static bool is_winged(int kind) { return kind < PF_BULLET_BILL && kind % 2 == 1; }
static bool is_wingless(int kind) { return !is_winged(kind); }

bool sv_creatures_allocate(sv_creatures *c, int n_cells) {
    c->bounce = malloc((size_t)n_cells * sizeof *c->bounce);
    c->before = malloc((size_t)n_cells * sizeof *c->before);
    return c->bounce && c->before;
}

void sv_creatures_free(sv_creatures *c) {
    free(c->bounce);
    free(c->before);
}

/* Puts the creatures for which `fits` holds where the level makes them and where they are now. */
static void put_creatures(sv_flood *f, bool (*fits)(int kind)) {
    const pf_level *level = f->root->level;
    for (int k = 0; k < level->n_templates; k++) {
        const pf_template *t = pf_templates(level) + k;
        if (sv_is_stompable(t->kind) && fits(t->kind))
            sv_flood_put(f, (float)(16 * t->column + 8), (float)(16 * t->row + 15));
    }
    for (int k = 0; k < f->root->n_sprites; k++) {
        const pf_sprite *s = pf_sprites(f->root) + k;
        if (s->kind != PF_BULLET_BILL && sv_is_stompable(s->kind) && fits(s->kind))
            sv_flood_put(f, s->body.x, s->body.y);
    }
}

/* All that were somewhere before may go on from there in another form. */
static void put_changed(sv_flood *f, const int16_t *before) {
    for (int k = 0; k < f->n_cells; k++)
        if (before[k] != NOWHERE)
            sv_flood_put(f, (float)(16 * (k / f->rows) + 8), (float)before[k]);
}

static void note_bounces(const sv_flood *f, int16_t *bounce, int half_height) {
    for (int k = 0; k < f->n_cells; k++)
        if (f->highest[k] != NOWHERE && f->highest[k] - half_height < bounce[k])
            bounce[k] = (int16_t)(f->highest[k] - half_height);
}

/* Feet of these creatures flood the level, and of those that may have turned into them. */
static void flood_creatures(sv_flood *f, sv_creatures *c, const sv_arc *arc, float speed,
                            bool (*fits)(int)) {
    sv_body b = {arc, speed, CREATURE_SLACK, false, true};
    sv_flood_begin(f, &b);
    if (fits)
        put_creatures(f, fits);
    put_changed(f, c->before);
    sv_flood_spread(f, &b);
    for (int k = 0; k < f->n_cells; k++)
        c->before[k] = f->highest[k] < c->before[k] ? f->highest[k] : c->before[k];
    note_bounces(f, c->bounce, f->has & HAS_SHELLS && fits ? 12 : 6);
}

/* Marks the rows along which bullets fly: those of a cannon, and those of bullets in the air. */
static void find_bullet_rows(const sv_flood *f, uint8_t *fires) {
    for (int column = 0; column < f->width; column++)
        for (int row = 0; row < f->height; row++)
            fires[row] |= tile_at(f, column, row) == 3;
    for (int k = 0; k < f->root->n_sprites; k++) {
        const pf_sprite *s = pf_sprites(f->root) + k;
        int row = (int)(s->body.y / 16);
        if (s->kind == PF_BULLET_BILL && row >= 0 && row < f->height)
            fires[row] = 1;
    }
}

static void bounce_off_bullets(const sv_flood *f, int16_t *bounce) {
    uint8_t fires[PF_MAX_HEIGHT] = {0};
    find_bullet_rows(f, fires);
    for (int column = 0; column < f->width; column++)
        for (int row = 0; row < f->height; row++) {
            int16_t *here = &bounce[cell_at(f, column, row)];
            if (fires[row] && bottom_of(row) - 6 < *here)
                *here = (int16_t)(bottom_of(row) - 6);
        }
}

/* Koopas may be made with their heads in the wall; then they stay below it. */
static void wedge_creatures(sv_flood *f) {
    const pf_level *level = f->root->level;
    memset(f->wedge, 0, (size_t)f->n_cells);
    for (int k = 0; k < level->n_templates; k++) {
        const pf_template *t = pf_templates(level) + k;
        if (sv_has_shell(t->kind))
            f->wedge[cell_at(f, t->column, t->row)] = 1;
    }
    for (int k = 0; k < f->root->n_sprites; k++) {
        const pf_sprite *s = pf_sprites(f->root) + k;
        if (sv_has_shell(s->kind))
            sv_flood_wedge_around(f, (int)(s->body.x / 16), (int)floorf(s->body.y / 16));
    }
}

/* Winged ones lose their wings, then their shells. */
void sv_creatures_spread(sv_creatures *c, sv_flood *f) {
    const pf_physics *p = &f->root->physics;
    const float walk = 1.75f, kicked = 11, leap = 10;
    sv_arc arc;
    wedge_creatures(f);
    for (int k = 0; k < f->n_cells; k++)
        c->bounce[k] = c->before[k] = NOWHERE;
    sv_throw_arc(&arc, leap, 0.95f, p->winged_gravity);
    flood_creatures(f, c, &arc, walk, is_winged);
    sv_throw_arc(&arc, 0, 0.85f, p->walker_gravity);
    flood_creatures(f, c, &arc, walk, is_wingless);
    sv_throw_arc(&arc, leap, 0.85f, p->shell_gravity);
    if (f->has & HAS_SHELLS)
        flood_creatures(f, c, &arc, kicked, NULL);
    bounce_off_bullets(f, c->bounce);
}

bool sv_creatures_support(const sv_creatures *c, sv_flood *f) {
    bool any = false;
    for (int column = 0; column < f->width; column++)
        for (int row = -1; row < f->rows - 1; row++) {
            int y = c->bounce[cell_at(f, column, row)];
            any |= y != NOWHERE;
            for (int aside = -1; y != NOWHERE && aside <= 1; aside++)
                for (int above = 0; above <= 2; above++)
                    sv_flood_add_support(f, column + aside, row - above, y);
        }
    return any;
}
