/* Looking at worlds. */
#include "abi/internal.h"
#include "platformer/rules/competition/competition.h"
#include "platformer/rules/ludus/elements.h"

#include <string.h>

_Static_assert((int)PF_KINDS <= (int)LUDUS_KINDS, "a result has room for all kinds");
_Static_assert((int)PF_STATE_FIELDS == (int)LUDUS_STATE_FIELDS, "the header tells the size of a state");
_Static_assert((int)PF_MAX_WIDTH == (int)LUDUS_MAX_WIDTH && (int)PF_MAX_HEIGHT == (int)LUDUS_MAX_HEIGHT,
               "the header tells how large levels may be");

int32_t ludus_world_status(const ludus_world *world) { return world->core->status; }
const char *ludus_world_rules(const ludus_world *world) { return world->core->rules->name; }
uint64_t ludus_world_hash(const ludus_world *world) { return pf_hash(world->core); }

void ludus_world_describe(const ludus_world *world, ludus_world_facts *facts) {
    const pf_world *w = world->core;
    const uint8_t *keys = pf_elements_of(w)->keys;
    *facts = (ludus_world_facts){
        .status = w->status,
        .tick = w->tick,
        .timer = w->timer,
        .pause = w->pause,
        .coins = w->coins,
        .lives = w->lives,
        .fireballs = w->fireballs,
        .camera_x = w->camera_x,
        .camera_y = w->camera_y,
        .completion = pf_completion(w),
        .screen_column = (int)((w->mario.body.x - w->camera_x) / PF_TILE),
        .screen_row = (int)(w->mario.body.y / PF_TILE),
        .keys = {keys[0], keys[1], keys[2]},
    };
}

void ludus_world_mario(const ludus_world *world, ludus_mario *mario) {
    const pf_mario *m = &world->core->mario;
    *mario = (ludus_mario){
        .x = m->body.x,
        .y = m->body.y,
        .vx = m->body.vx,
        .vy = m->body.vy,
        .jump_start_x = m->jump_start_x,
        .mode = pf_mode(m),
        .on_ground = m->body.on_ground,
        .was_on_ground = m->was_on_ground,
        .may_jump = m->may_jump,
        .ducking = m->ducking,
        .can_shoot = m->can_shoot,
        .jump_time = m->jump_time,
        .invulnerable = m->invulnerable,
        .facing = m->body.facing,
        .height = m->body.height,
        .alive = m->alive,
        .listed = m->listed,
    };
}

static bool does(bool (*what)(const pf_world *), const pf_world *w) { return what && what(w); }

void ludus_world_pose(const ludus_world *world, ludus_pose *pose) {
    const pf_world *w = world->core;
    *pose = (ludus_pose){does(w->rules->slides, w), does(w->rules->climbs, w), does(w->rules->carries, w)};
}

size_t ludus_world_fates(const ludus_world *world, ludus_fate *fates, size_t capacity) {
    size_t n = (size_t)world->core->n_sprites;
    for (size_t k = 0; k < n && k < capacity; k++) {
        const pf_sprite *s = pf_sprites(world->core) + (n - 1 - k);
        fates[k] = (ludus_fate){s->dead_time, (s->marks & MARK_FLYING) != 0, (s->marks & MARK_CARRIED) != 0};
    }
    return n;
}

size_t ludus_world_sprites(const ludus_world *world, ludus_sprite *sprites, size_t capacity) {
    size_t n = (size_t)world->core->n_sprites;
    for (size_t k = 0; k < n && k < capacity; k++) {
        const pf_sprite *s = pf_sprites(world->core) + (n - 1 - k);
        const pf_body *b = &s->body;
        sprites[k] = (ludus_sprite){s->kind,   b->x,         b->y,      b->vx, b->vy,
                                    b->facing, b->on_ground, s->winged, s->aux};
    }
    return n;
}

size_t ludus_world_events(const ludus_world *world, ludus_event *events, size_t capacity) {
    size_t n = (size_t)world->core->n_events;
    for (size_t k = 0; k < n && k < capacity; k++) {
        const pf_event *e = pf_events(world->core) + k;
        events[k] = (ludus_event){e->kind, e->param, e->mode, e->tick, e->x, e->y};
    }
    return n;
}

size_t ludus_world_tiles(const ludus_world *world, uint8_t *tiles, size_t capacity) {
    const pf_level *level = world->core->level;
    size_t n = (size_t)level->width * (size_t)level->height;
    if (capacity)
        memcpy(tiles, pf_tiles(world->core), abi_least(n, capacity));
    return n;
}

void ludus_world_result(const ludus_world *world, ludus_result *result) {
    const pf_world *w = world->core;
    const pf_log *log = &w->log;
    const int32_t *n = log->of_kind;
    *result = (ludus_result){
        .status = w->status,
        .timer = w->timer,
        .mode = pf_mode(&w->mario),
        .kills = n[PF_STOMP_KILL] + n[PF_FIRE_KILL] + n[PF_SHELL_KILL] + n[PF_FALL_KILL],
        .kills_by_fire = n[PF_FIRE_KILL],
        .kills_by_stomp = n[PF_STOMP_KILL],
        .kills_by_shell = n[PF_SHELL_KILL],
        .kills_by_fall = n[PF_FALL_KILL],
        .hurts = n[PF_HURT],
        .bumped_blocks = log->bump_question,
        .bumped_bricks = log->bump_brick,
        .broken_bricks = log->destroyed_bricks,
        .jumps = n[PF_JUMPED],
        .max_jump_air_time = log->max_jump_air_time,
        .lives = w->lives,
        .coins = w->coins,
        .mushrooms = log->mushrooms,
        .flowers = log->flowers,
        .total_coins = w->level->total_coins,
        .ticks = log->calls,
        .completion = pf_completion(w),
        .max_x_jump = log->max_x_jump,
    };
    memcpy(result->kills_by_kind, log->kills_by_kind, sizeof log->kills_by_kind);
}

static int32_t check_detail(int32_t detail) {
    if (detail >= 0 && detail <= 2)
        return LUDUS_OK;
    return abi_fail(LUDUS_BAD_OPTION, "detail %d is unknown: give 0 (finest), 1 or 2 (coarsest)", (int)detail);
}

int32_t abi_check_view(const ludus_view *view, pf_view *checked) {
    if (view->columns < 1 || view->columns > LUDUS_MAX_FIELD || view->rows < 1 || view->rows > LUDUS_MAX_FIELD)
        return abi_fail(LUDUS_BAD_OPTION, "size %d x %d is out of range: give 1 to %d columns and rows",
                        (int)view->columns, (int)view->rows, LUDUS_MAX_FIELD);
    if (check_detail(view->scene_detail) || check_detail(view->enemy_detail))
        return LUDUS_BAD_OPTION;
    *checked = (pf_view){view->columns, view->rows, (uint8_t)view->scene_detail, (uint8_t)view->enemy_detail,
                         view->on_screen != 0};
    return LUDUS_OK;
}

int32_t ludus_world_observe(const ludus_world *world, enum ludus_grid grid, const ludus_view *view,
                            uint8_t *cells, size_t capacity) {
    pf_view checked;
    int32_t error = abi_check_view(view, &checked);
    if (error)
        return error;
    size_t wanted = (size_t)view->columns * (size_t)view->rows;
    if (capacity < wanted)
        return abi_fail(LUDUS_BAD_OPTION, "%zu cells are too few: give room for %zu", capacity, wanted);
    if ((int)grid < PF_SCENE || (int)grid > PF_MERGED)
        return abi_fail(LUDUS_BAD_OPTION, "grid %d is unknown: give 0 scene, 1 enemies or 2 merged", (int)grid);
    pf_observe(world->core, (enum pf_grid)grid, &checked, cells);
    return LUDUS_OK;
}

size_t ludus_world_enemies(const ludus_world *world, int32_t relative, float *enemies, size_t capacity) {
    return (size_t)pf_enemy_positions(world->core, relative != 0, 0, enemies, capacity);
}

size_t ludus_extra_size(const ludus_world *world) { return (size_t)world->core->rules->extra_size; }

size_t ludus_world_extra(const ludus_world *world, void *extra, size_t capacity) {
    size_t size = ludus_extra_size(world);
    if (size && size <= capacity)
        world->core->rules->see_extra(world->core, extra);
    return size;
}

size_t ludus_world_state(const ludus_world *world, float *state, size_t capacity) {
    float all[PF_STATE_FIELDS];
    pf_state(world->core, all);
    if (capacity)
        memcpy(state, all, sizeof(float) * abi_least(capacity, PF_STATE_FIELDS));
    return PF_STATE_FIELDS;
}
