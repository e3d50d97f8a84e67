/* Rows of recordings under the rules that are built on the framework's engine. */
#include "platformer/rules/framework/trace.h"
#include "platformer/trace.h"

const char pf_framework_columns[] =
    "tick,timer,status,pause,mx,my,mxa,mya,mode,onG,wasG,mayJ,duck,canShoot,jumpT,inv,face,h,alive,xjs,camx,"
    "camy,coins,lives,fb,kStomp,kFire,kShell,kFall,events,tileH,obsM,obsS,sprites";

static void write_mario(pf_text *t, const pf_mario *m) {
    const pf_body *b = &m->body;
    const int flags[] = {pf_mode(m),  b->on_ground, m->was_on_ground, m->may_jump, m->ducking, m->can_shoot,
                         m->jump_time, m->invulnerable, b->facing,     b->height,   m->alive};
    pf_write_float(t, b->x, ',');
    pf_write_float(t, b->y, ',');
    pf_write_float(t, b->vx, ',');
    pf_write_float(t, b->vy, ',');
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        pf_write_int(t, flags[k], ',');
    pf_write_float(t, m->jump_start_x, ',');
}

static void write_counters(pf_text *t, const pf_world *w) {
    const int32_t *n = w->log.of_kind;
    const int32_t counters[] = {w->coins,        w->lives,         w->fireballs,    n[PF_STOMP_KILL],
                                n[PF_FIRE_KILL], n[PF_SHELL_KILL], n[PF_FALL_KILL]};
    pf_write_float(t, w->camera_x, ',');
    pf_write_float(t, w->camera_y, ',');
    for (size_t k = 0; k < sizeof counters / sizeof *counters; k++)
        pf_write_int(t, counters[k], ',');
}

static void write_events(pf_text *t, const pf_world *w) {
    for (int k = 0; k < w->n_events; k++) {
        const pf_event *e = pf_events(w) + k;
        pf_write_int(t, e->kind, ':');
        pf_write_int(t, e->param, ':');
        pf_write_float(t, e->x, ':');
        pf_write_float(t, e->y, ':');
        pf_write_int(t, e->mode, ':');
        pf_write_int(t, e->tick, ';');
    }
    pf_end_list(t, w->n_events == 0, ',');
}

static uint32_t hash_grid(uint32_t hash, const pf_world *w, enum pf_grid grid, pf_view view) {
    uint8_t cells[PF_SCREEN / PF_TILE * (PF_SCREEN / PF_TILE)];
    pf_observe(w, grid, &view, cells);
    return pf_fnv_wide(hash, cells, sizeof cells);
}

static uint32_t hash_grids(const pf_world *w, bool on_screen) {
    enum { SIDE = PF_SCREEN / PF_TILE, DETAILS = 3 };
    uint32_t hash = PF_FNV_START;
    pf_view view = {SIDE, SIDE, 0, 0, on_screen};
    for (view.scene_detail = 0; view.scene_detail < DETAILS; view.scene_detail++)
        hash = hash_grid(hash, w, PF_SCENE, view);
    for (view.enemy_detail = 0; view.enemy_detail < DETAILS; view.enemy_detail++)
        hash = hash_grid(hash, w, PF_ENEMIES, view);
    for (view.scene_detail = 0; view.scene_detail < DETAILS; view.scene_detail++)
        for (view.enemy_detail = 0; view.enemy_detail < DETAILS; view.enemy_detail++)
            hash = hash_grid(hash, w, PF_MERGED, view);
    return hash;
}

static void write_sprites(pf_text *t, const pf_world *w) {
    for (int k = w->n_sprites - 1; k >= 0; k--) {
        const pf_sprite *s = pf_sprites(w) + k;
        pf_write_sprite(t, s->kind, &s->body);
        pf_write_int(t, s->body.on_ground + 2 * s->winged, ':');
        pf_write_int(t, s->aux, ';');
    }
    if (w->mario.listed)
        pf_write_char(t, 'M');
    else
        t->length -= w->n_sprites > 0;
}

void pf_framework_trace(const pf_world *w, pf_text *t) {
    size_t n_tiles = (size_t)w->level->width * (size_t)w->level->height;
    pf_write_int(t, w->tick, ',');
    pf_write_int(t, w->timer, ',');
    pf_write_int(t, w->status, ',');
    pf_write_int(t, w->pause, ',');
    write_mario(t, &w->mario);
    write_counters(t, w);
    write_events(t, w);
    pf_write_hex(t, pf_fnv(PF_FNV_START, pf_tiles(w), n_tiles), 8, ',');
    pf_write_hex(t, hash_grids(w, false), 8, ',');
    pf_write_hex(t, hash_grids(w, true), 8, ',');
    write_sprites(t, w);
}
