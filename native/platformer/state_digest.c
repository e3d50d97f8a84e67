/* The digest of a state: named fields in a fixed order and width, as docs/state-digest.md lists them.
 *
 * What a tick sets before it reads it is left out: capacities, places in memory, what waits for the commit.
 */
#include "platformer/rules/rules.h"

static void write_physics(digest *d, const pf_physics *p) {
    digest_f32(d, p->mario_gravity);
    digest_f32(d, p->inertia_left);
    digest_f32(d, p->inertia_right);
    digest_f32(d, p->walker_gravity);
    digest_f32(d, p->winged_gravity);
    digest_f32(d, p->shell_gravity);
    digest_i32(d, p->jump_ticks);
    digest_i32(d, p->stomp_ticks);
    digest_i32(d, p->tick_cost);
    digest_u8(d, p->frozen);
    digest_u8(d, p->invulnerable);
    if (p->restores_power)
        digest_u8(d, p->restores_power);
}

static void write_kills(digest *d, const pf_world *w) {
    digest_i32(d, w->n_kills);
    for (int k = 0; k < w->n_kills; k++) {
        digest_u8(d, pf_kills(w)[k].kind);
        digest_u8(d, pf_kills(w)[k].param);
    }
}

static void write_counters(digest *d, const pf_world *w) {
    digest_i32(d, w->status);
    digest_i32(d, w->pause);
    digest_i32(d, w->timer);
    digest_i32(d, w->tick);
    digest_i32(d, w->coins);
    digest_i32(d, w->lives);
    digest_i32(d, w->fireballs);
    digest_f32(d, w->camera_x);
    digest_f32(d, w->camera_y);
    for (int k = 0; k < 4; k++)
        digest_i32(d, w->window[k]);
}

static void write_body(digest *d, const pf_body *b) {
    digest_f32(d, b->x);
    digest_f32(d, b->y);
    digest_f32(d, b->vx);
    digest_f32(d, b->vy);
    digest_i8(d, b->facing);
    digest_u8(d, b->on_ground);
    digest_u8(d, b->half_width);
    digest_u8(d, b->height);
}

static void write_mario(digest *d, const pf_mario *m) {
    write_body(d, &m->body);
    digest_f32(d, m->jump_start_x);
    digest_i32(d, m->jump_time);
    digest_i32(d, m->invulnerable);
    digest_u8(d, m->large);
    digest_u8(d, m->fire);
    digest_u8(d, m->ducking);
    digest_u8(d, m->was_on_ground);
    digest_u8(d, m->may_jump);
    digest_u8(d, m->can_shoot);
    digest_u8(d, m->alive);
    digest_u8(d, m->listed);
}

static void write_log(digest *d, const pf_log *log) {
    digest_i32(d, log->calls);
    digest_counts(d, log->of_kind, PF_EVENT_KINDS);
    digest_counts(d, log->kills_by_kind, PF_ALL_KINDS);
    digest_i32(d, log->bump_question);
    digest_i32(d, log->bump_brick);
    digest_i32(d, log->destroyed_bricks);
    digest_i32(d, log->mushrooms);
    digest_i32(d, log->flowers);
    digest_i32(d, log->max_jump_air_time);
    digest_i32(d, log->jump_tick);
    digest_f32(d, log->max_x_jump);
    digest_f32(d, log->jump_x);
}

static void write_tiles(digest *d, const pf_world *w) {
    digest_i32(d, w->level->width);
    digest_i32(d, w->level->height);
    digest_bytes(d, pf_tiles(w), (size_t)w->level->width * (size_t)w->level->height);
}

static void write_sprites(digest *d, const pf_world *w) {
    digest_i32(d, w->n_sprites);
    for (int k = 0; k < w->n_sprites; k++) {
        const pf_sprite *s = pf_sprites(w) + k;
        write_body(d, &s->body);
        digest_u8(d, s->kind);
        digest_u8(d, s->winged);
        digest_i32(d, s->key);
        digest_i32(d, s->aux);
        digest_f32(d, s->y_start);
    }
}

static void write_events(digest *d, const pf_world *w) {
    digest_i32(d, w->n_events);
    for (int k = 0; k < w->n_events; k++) {
        const pf_event *e = pf_events(w) + k;
        digest_u8(d, e->kind);
        digest_u8(d, e->param);
        digest_u8(d, e->mode);
        digest_i32(d, e->tick);
        digest_f32(d, e->x);
        digest_f32(d, e->y);
    }
}

uint64_t pf_hash(const pf_world *w) {
    digest d = digest_begin();
    digest_i32(&d, PF_DIGEST_VERSION);
    write_physics(&d, &w->physics);
    write_kills(&d, w);
    write_counters(&d, w);
    write_mario(&d, &w->mario);
    write_log(&d, &w->log);
    write_tiles(&d, w);
    write_sprites(&d, w);
    write_events(&d, w);
    if (w->rules->digest_tail)
        w->rules->digest_tail(w, &d);
    return digest_end(&d);
}
