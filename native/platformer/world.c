/* A world's memory: layout, start, copies; and the log of its events. */
#include "platformer/rules/rules.h"

#include <string.h>

static int round_up(int n) { return (n + 7) & ~7; }

static int tail_offset(const pf_level *level) {
    return round_up((int)sizeof(pf_world) + level->width * level->height);
}

static int sprites_offset(const pf_level *level, int n_kills) {
    return round_up(tail_offset(level) + level->world_tail_size + n_kills * (int)sizeof(pf_kill));
}

static int events_offset(const pf_level *level, int n_kills, int sprite_capacity) {
    return round_up(sprites_offset(level, n_kills) + sprite_capacity * (int)sizeof(pf_sprite));
}

/* With n sprites a tick makes at most 21 n events (cull 1, shells 6, contacts 12, passes 2), one for
 * each kill event and those of Mario's own way; pf_has_room keeps 6 n below the sprite capacity. */
static int events_for(int n_kills, int sprite_capacity) { return 4 * sprite_capacity + 256 + n_kills; }

size_t pf_world_size(const pf_level *level, int n_kills, int sprite_capacity) {
    return (size_t)events_offset(level, n_kills, sprite_capacity)
           + (size_t)events_for(n_kills, sprite_capacity) * sizeof(pf_event);
}

int pf_first_capacity(const pf_level *level) { return 64 + level->max_spawns; }

int pf_wanted_capacity(const pf_world *w) {
    int wanted = 6 * w->n_sprites + w->level->max_spawns + 8;
    return wanted + wanted / 2;
}

static void lay_out(pf_world *w, const pf_level *level, int n_kills, int sprite_capacity) {
    w->level = level;
    w->n_kills = n_kills;
    w->sprite_capacity = sprite_capacity;
    w->event_capacity = events_for(n_kills, sprite_capacity);
    w->tail_at = tail_offset(level);
    w->sprites_at = sprites_offset(level, n_kills);
    w->events_at = events_offset(level, n_kills, sprite_capacity);
}

void pf_physics_default(pf_physics *p) {
    *p = (pf_physics){
        .mario_gravity = 3,
        .inertia_left = 0.89f,
        .inertia_right = 0.89f,
        .walker_gravity = 2,
        .winged_gravity = 0.6f,
        .shell_gravity = 2,
        .jump_ticks = 7,
        .stomp_ticks = 8,
        .tick_cost = 30,
        .settings = {.start_x = 32,
                     .start_y = 32,
                     .screen_width = 320,
                     .screen_height = 240,
                     .field_width = 19,
                     .field_height = 19,
                     .ego_row = 9,
                     .ego_column = 9},
    };
}

static void clear_log(pf_log *log) {
    memset(log, 0, sizeof *log);
    log->jump_x = -100;
    log->jump_tick = -100;
}

void pf_world_begin(pf_world *w, const pf_level *level, const pf_physics *physics,
                    const pf_kill *kills, int n_kills, int mode, int timer, int sprite_capacity) {
    memset(w, 0, (size_t)sprites_offset(level, n_kills));
    lay_out(w, level, n_kills, sprite_capacity);
    w->rules = level->rules;
    w->physics = *physics;
    w->timer = timer;
    memcpy(pf_tiles(w), pf_level_tiles(level), (size_t)level->width * (size_t)level->height);
    if (n_kills)
        memcpy(pf_kills(w), kills, (size_t)n_kills * sizeof *kills);
    w->rules->begin(w, mode);
    w->rules->tick(w, 0);
    clear_log(&w->log);
}

static float distance(float a, float b) { return a < b ? b - a : a - b; }

static void log_landing(pf_log *log, const pf_event *e) {
    float way = distance(e->x, log->jump_x);
    int air = e->tick - log->jump_tick;
    log->max_x_jump = way > log->max_x_jump ? way : log->max_x_jump;
    log->max_jump_air_time = air > log->max_jump_air_time ? air : log->max_jump_air_time;
}

static void log_event(pf_log *log, const pf_event *e) {
    log->of_kind[e->kind]++;
    switch (e->kind) {
    case PF_STOMP_KILL: case PF_FIRE_KILL: case PF_SHELL_KILL:
        log->kills_by_kind[e->param]++;
        break;
    case PF_BUMP:
        log->bump_question += e->param == PF_BUMPED_BLOCK;
        log->bump_brick += e->param == PF_BROKE_BRICK;
        log->destroyed_bricks += e->param == PF_BROKE_BRICK && e->mode > 0;
        break;
    case PF_COLLECT:
        log->mushrooms += e->param == PF_MUSHROOM;
        log->flowers += e->param == PF_FIRE_FLOWER;
        break;
    case PF_JUMPED:
        log->jump_x = e->x;
        log->jump_tick = e->tick;
        break;
    case PF_LANDED: log_landing(log, e); break;
    default: break;
    }
}

void pf_step(pf_world *w, unsigned action) {
    w->rules->tick(w, action);
    w->log.calls++;
    for (int k = 0; k < w->n_events; k++)
        log_event(&w->log, &pf_events(w)[k]);
}

void pf_copy(pf_world *to, const pf_world *from, int sprite_capacity) {
    memcpy(to, from, (size_t)from->sprites_at + (size_t)from->n_sprites * sizeof(pf_sprite));
    if (sprite_capacity != from->sprite_capacity)
        lay_out(to, from->level, from->n_kills, sprite_capacity);
    if (from->n_events)
        memcpy(pf_events(to), pf_events(from), (size_t)from->n_events * sizeof(pf_event));
}

void pf_reference_clone(pf_world *w) {
    pf_body *b = &w->mario.body;
    if (w->rules->exact_models)
        return;
    b->x = (b->x - 8) + 8;
    b->y = (b->y - 15) + 15;
    w->mario.alive = 1;
    w->n_events = 0;
}

void pf_forward_model(pf_world *w) {
    pf_reference_clone(w);
    clear_log(&w->log);
}

float pf_completion(const pf_world *w) {
    return w->mario.body.x / (float)(16 * w->level->exit_x);
}
