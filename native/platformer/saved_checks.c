/* The ranges of what a state may hold. */
#include "platformer/saved_checks.h"
#include "platformer/rules/rules.h"
#include "platformer/rules/shared/features.h"

enum { MOST_COUNT = 1 << 30, MOST_TIMER = 2000000000, NO_JUMP = -100, MOST_PAUSE = 9, MOST_INVULNERABLE = 32 };
/* Pixels: beyond the largest level and the highest jump; a tick's way, beyond the fastest body. */
enum { MOST_PLACE = 1 << 23, MOST_SPEED = 1 << 14, MOST_FALL = 1 << 14 };
enum { MOST_HALF_WIDTH = 7, MOST_DEAD_TIME = 100, MOST_MARKS = 15, WALL_JUMP = -6 };

static bool in(int value, int least, int most) { return value >= least && value <= most; }
static bool is_flag(uint8_t value) { return value <= 1; }
static bool is_count(int value) { return in(value, 0, MOST_COUNT); }

/* Not so for what is no number. */
static bool within(float value, int most) { return value >= (float)-most && value <= (float)most; }

static bool are_counts(const int32_t *counts, int n) {
    for (int k = 0; k < n; k++)
        if (!is_count(counts[k]))
            return false;
    return true;
}

static bool body_fits(const pf_body *b, int most_speed) {
    return within(b->x, MOST_PLACE) && within(b->y, MOST_PLACE) && within(b->vx, most_speed)
           && within(b->vy, MOST_SPEED) && in(b->facing, -1, 1) && is_flag(b->on_ground)
           && b->half_width <= MOST_HALF_WIDTH;
}

/* He never leaves the level to a side, but in his last tick of a competition, and is lost below it. On ice that
 * speeds him up he is as fast as the level is wide. */
static bool mario_fits(const pf_world *w) {
    const pf_mario *m = &w->mario;
    const pf_body *b = &m->body;
    int beyond = w->rules->maps ? MOST_PLACE : 0, most_speed = w->rules->maps ? MOST_PLACE : MOST_SPEED;
    int least_jump = w->rules->maps ? WALL_JUMP : 0;
    return body_fits(b, most_speed) && b->x >= (float)-beyond && b->x <= (float)(16 * w->level->width + beyond)
           && b->y <= (float)(16 * w->level->height + MOST_FALL) && within(m->jump_start_x, MOST_PLACE)
           && in(m->jump_time, least_jump, w->physics.stomp_ticks) && in(m->invulnerable, 0, MOST_INVULNERABLE)
           && is_flag(m->large) && is_flag(m->fire) && is_flag(m->ducking) && is_flag(m->was_on_ground)
           && is_flag(m->may_jump) && is_flag(m->can_shoot) && is_flag(m->alive) && is_flag(m->listed);
}

static bool log_fits(const pf_log *log) {
    return is_count(log->calls) && are_counts(log->of_kind, PF_EVENT_KINDS)
           && are_counts(log->kills_by_kind, PF_ALL_KINDS) && is_count(log->bump_question)
           && is_count(log->bump_brick) && is_count(log->destroyed_bricks) && is_count(log->mushrooms)
           && is_count(log->flowers) && is_count(log->max_jump_air_time)
           && in(log->jump_tick, NO_JUMP, MOST_COUNT) && within(log->max_x_jump, 2 * MOST_PLACE)
           && within(log->jump_x, MOST_PLACE);
}

bool pf_state_fits(const pf_world *w) {
    return in(w->overflow, 0, 1) && in(w->status, PF_RUNNING, PF_TIME_OUT) && in(w->pause, 0, MOST_PAUSE)
           && in(w->timer, w->rules->maps ? -MOST_TIMER : 0, MOST_TIMER) && is_count(w->tick)
           && is_count(w->coins) && is_count(w->lives)
           && is_count(w->fireballs) && w->n_added == 0 && w->n_removed == 0
           && is_count(w->shells_queued) && is_count(w->fireballs_queued) && within(w->camera_x, MOST_PLACE)
           && within(w->camera_y, MOST_PLACE) && mario_fits(w) && log_fits(&w->log);
}

bool pf_sprite_fits(const pf_level *level, const pf_sprite *s) {
    return body_fits(&s->body, MOST_SPEED) && in(s->kind, PF_GOOMBA, level->rules->n_kinds - 1) && s->alive == 1
           && is_flag(s->winged) && is_flag(s->queued) && in(s->key, -1, level->n_templates - 1)
           && is_count(s->aux) && within(s->y_start, MOST_PLACE) && in(s->map_x, -MOST_PLACE, MOST_PLACE)
           && within(s->x_before, MOST_PLACE)
           && within(s->y_before, MOST_PLACE) && s->dead_time <= MOST_DEAD_TIME && s->marks <= MOST_MARKS;
}

bool pf_event_fits(const pf_event *e) {
    bool is_kill = e->kind == PF_STOMP_KILL || e->kind == PF_FIRE_KILL || e->kind == PF_SHELL_KILL;
    return in(e->kind, PF_BUMP, PF_EVENT_KINDS - 1) && (!is_kill || e->param < PF_ALL_KINDS) && e->mode <= 2
           && is_count(e->tick) && within(e->x, MOST_PLACE) && within(e->y, MOST_PLACE);
}

bool pf_tile_fits(const pf_rules *rules, int before, int now) {
    unsigned features = rules->features[before];
    return now == before || (now == 0 && features & (FEATURE_BREAKABLE | FEATURE_PICKABLE))
           || (now == rules->used_block && features & FEATURE_BUMPABLE)
           || (rules->tile_fits && rules->tile_fits(before, now));
}
