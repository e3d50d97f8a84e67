/* Many environments stepped by one call. */
#include "platformer/batch.h"

#include "common/random.h"
#include "platformer/heap.h"
#include "platformer/rules/rules.h"

#include <string.h>

void pf_env_seed(pf_env *env, uint64_t seed) {
    env->random = seed;
    env->seeded = 1;
}

/* The picture of now behind those of the steps before; a first one stands for them too. */
static void stack_picture(const pf_batch *b, int k, bool first) {
    size_t size = b->sight.picture_size;
    uint8_t *pictures = b->seen.pixels + (size_t)k * PF_PICTURES * size, *now = pictures + (PF_PICTURES - 1) * size;
    if (!first)
        memmove(pictures, pictures + size, (PF_PICTURES - 1) * size);
    b->sight.see_picture(b->envs[k].world, now);
    for (int before = 0; first && before < PF_PICTURES - 1; before++)
        memcpy(pictures + (size_t)before * size, now, size);
}

static const pf_scenery *scenery_of(const pf_batch *b, pf_scenery *const *sceneries, const pf_env *env) {
    if (!sceneries)
        return NULL;
    return sceneries[b->terms.lives ? pf_course_start(&b->terms, &env->course, 0) : env->level];
}

static void write_observation(const pf_batch *b, const pf_observation *to, int k) {
    const pf_env *env = &b->envs[k];
    const pf_world *w = env->world;
    size_t at = (size_t)k * (size_t)b->view.columns * (size_t)b->view.rows;
    if (to->scene)
        pf_observe_scenery(w, PF_SCENE, &b->view, scenery_of(b, b->scenes, env), to->scene + at);
    if (to->enemies)
        pf_observe(w, PF_ENEMIES, &b->view, to->enemies + at);
    if (to->merged)
        pf_observe_scenery(w, PF_MERGED, &b->view, scenery_of(b, b->merged_scenes, env), to->merged + at);
    if (to->state)
        pf_state(w, to->state + (size_t)k * PF_STATE_FIELDS);
    if (to->extra && w->rules->see_extra)
        w->rules->see_extra(w, to->extra + (size_t)k * (size_t)w->rules->extra_size);
    if (to->fields)
        b->sight.see_fields(w, to->fields + (size_t)k * b->sight.fields_size);
}

/* What is seen now, and what was before. */
static void see(const pf_batch *b, int k, bool first) {
    write_observation(b, &b->seen, k);
    if (b->seen.pixels)
        stack_picture(b, k, first);
}

/* What is seen at the end of an episode. */
static void see_last(const pf_batch *b, int k) {
    size_t size = PF_PICTURES * b->sight.picture_size, at = (size_t)k * size;
    write_observation(b, &b->seen_last, k);
    if (b->seen_last.pixels) {
        stack_picture(b, k, false);
        memcpy(b->seen_last.pixels + at, b->seen.pixels + at, size);
    }
}

static int kills_logged(const pf_world *w) {
    const int32_t *n = w->log.of_kind;
    return n[PF_STOMP_KILL] + n[PF_FIRE_KILL] + n[PF_SHELL_KILL] + n[PF_FALL_KILL];
}

static void write_info(const pf_batch *b, int k) {
    const pf_world *w = b->envs[k].world;
    int32_t *info = b->infos + (size_t)k * PF_INFO_FIELDS;
    b->places[2 * k] = w->mario.body.x;
    b->places[2 * k + 1] = w->mario.body.y;
    info[0] = w->status;
    if (b->won)
        b->won[k] = w->status == PF_WIN;
    info[1] = w->tick;
    info[2] = w->timer;
    info[3] = pf_mode(&w->mario);
    info[4] = w->coins;
    info[5] = w->lives;
    info[6] = kills_logged(w);
    info[7] = b->envs[k].level;
    if (b->courses)
        pf_course_facts(&b->envs[k].course, w, b->envs[k].steps, b->courses + (size_t)k * PF_COURSE_FIELDS);
}

static bool begin_level(pf_batch *b, pf_env *env, int level) {
    pf_world *fresh = pf_world_clone(b->starts[level]);
    if (!fresh)
        return false;
    pf_free(env->world);
    env->world = fresh;
    env->level = level;
    return true;
}

static bool begin_course(pf_batch *b, pf_env *env, int number, uint64_t seed) {
    env->level = number;
    return pf_course_begin(&b->terms, b->starts, number, seed, &env->course, &env->world);
}

static bool begin_episode(pf_batch *b, int k, int level) {
    pf_env *env = &b->envs[k];
    uint64_t seed = env->random;
    if (b->terms.lives && !env->seeded)
        seed = random_next(&env->random) >> 11;
    env->seeded = 0;
    if (level < 0)
        level = env->pool[random_next(&env->random) % (uint64_t)env->n_pool];
    if (!(b->terms.lives ? begin_course(b, env, level, seed) : begin_level(b, env, level)))
        return false;
    env->steps = 0;
    env->over = b->terms.lives && env->course.finished;
    env->pending = 0;
    return true;
}

void pf_batch_show(pf_batch *b, int k) {
    const pf_env *env = &b->envs[k];
    b->rewards[k] = 0;
    b->terminated[k] = env->over && env->world->status != PF_RUNNING;
    b->truncated[k] = env->over && env->world->status == PF_RUNNING;
    see(b, k, true);
    write_info(b, k);
}

bool pf_batch_reset(pf_batch *b, int k, int level) {
    if (!begin_episode(b, k, level))
        return false;
    pf_batch_show(b, k);
    return true;
}

/* Kills of this tick; a pause repeats the events of the tick before, which must not pay twice. */
static int new_kills(const pf_world *w, int tick_before) {
    int n = 0;
    if (w->tick == tick_before)
        return 0;
    for (int e = 0; e < w->n_events; e++) {
        int kind = pf_events(w)[e].kind;
        n += kind >= PF_STOMP_KILL && kind <= PF_FALL_KILL;
    }
    return n;
}

static bool play(pf_batch *b, int k) {
    pf_env *env = &b->envs[k];
    float x = env->world->mario.body.x;
    int coins = env->world->coins, mode = pf_mode(&env->world->mario), kills = 0, ticks = 0;
    unsigned action = b->latency ? (unsigned)env->pending : b->actions[k];
    env->pending = b->actions[k];
    while (ticks < b->frame_skip && env->world->status == PF_RUNNING) {
        int tick = env->world->tick;
        if (!pf_make_room(&env->world))
            return false;
        pf_step(env->world, b->terms.lives ? pf_course_buttons(&b->terms, &env->course, action) : action);
        kills += new_kills(env->world, tick);
        ticks++;
        if (b->terms.lives)
            pf_course_tick(&env->course, env->world);
    }
    const pf_world *w = env->world;
    const pf_reward *r = &b->reward;
    b->rewards[k] = r->progress * (double)(w->mario.body.x - x) / PF_TILE
                    + r->win * (w->status == PF_WIN)
                    + r->loss * (w->status == PF_LOSE || w->status == PF_TIME_OUT)
                    + r->coin * (w->coins - coins) + r->kill * kills
                    + r->power * (pf_mode(&w->mario) - mode) + r->tick * ticks;
    env->steps++;
    bool overflow = w->overflow, over = w->status != PF_RUNNING;
    if (b->terms.lives) {
        if (!pf_course_go_on(&b->terms, b->starts, &env->course, &env->world))
            return false;
        over = env->course.finished;
    }
    b->terminated[k] = over;
    b->truncated[k] = !over && b->max_steps && env->steps >= b->max_steps;
    env->over = over || b->truncated[k];
    return !overflow;
}

static bool step(pf_batch *b, int k) {
    pf_env *env = &b->envs[k];
    if (env->over && b->autoreset == PF_RESET_NEXT_STEP)
        return pf_batch_reset(b, k, -1);
    if (!play(b, k))
        return false;
    if (env->over && b->autoreset == PF_RESET_SAME_STEP) {
        see_last(b, k);
        write_info(b, k);
        if (!begin_episode(b, k, -1))
            return false;
        see(b, k, true);
        return true;
    }
    see(b, k, false);
    write_info(b, k);
    return true;
}

#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

/* Worlds lie apart in memory: their headers are asked for three environments ahead, then the tiles
 * around Mario where some have changed, the sprites and the events. */
static void fetch_ahead(const pf_batch *b, int k, int last) {
    enum { LINE = 64, TILE_LINES = 4 };
    if (k + 3 < last)
        for (size_t at = 0; at < sizeof(pf_world); at += LINE)
            PREFETCH((const char *)b->envs[k + 3].world + at);
    if (k + 1 >= last)
        return;
    const pf_world *w = b->envs[k + 1].world;
    int column = (int)w->mario.body.x / PF_TILE - b->view.columns / 2;
    size_t at = column > 0 ? (size_t)column * (size_t)w->level->height : 0;
    for (int line = 0; w->changed_to && line <= TILE_LINES; line++)
        PREFETCH(pf_tiles(w) + at + (size_t)line * LINE);
    PREFETCH(pf_sprites(w));
    PREFETCH(pf_events(w));
}

bool pf_batch_step(pf_batch *b, int first, int last) {
    for (int k = first; k < last; k++) {
        fetch_ahead(b, k, last);
        if (!step(b, k))
            return false;
    }
    return true;
}
