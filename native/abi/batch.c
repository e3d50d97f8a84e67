/* Batches of environments, spread over threads. */
#include "platformer/batch.h"
#include "abi/internal.h"
#include "common/crew.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)PF_INFO_FIELDS == (int)LUDUS_INFO_FIELDS, "the header tells the size of an info");

enum { CHUNKS = 4 }; /* for each thread: some take longer than others */

struct ludus_batch {
    pf_batch core;
    int32_t n, threads;
    pf_env *envs;
    int32_t *pools;
    abi_starts starts;
    crew *crew;
};

static int32_t check_pools(const ludus_batch_options *o, size_t *total) {
    *total = 0;
    for (int32_t k = 0; k < o->n_envs; k++) {
        if (o->pool_sizes[k] < 1)
            return abi_fail(LUDUS_BAD_OPTION, "environment %d has no level: give each at least one", (int)k);
        *total += (size_t)o->pool_sizes[k];
    }
    for (size_t k = 0; k < *total; k++)
        if (o->pools[k] < 0 || (size_t)o->pools[k] >= o->n_starts)
            return abi_fail(LUDUS_BAD_OPTION, "level %d is unknown: there are %zu", (int)o->pools[k],
                            o->n_starts);
    return LUDUS_OK;
}

static int32_t check_options(const ludus_batch_options *o) {
    if (o->n_envs < 1)
        return abi_fail(LUDUS_BAD_OPTION, "%d environments are too few: give 1 or more", (int)o->n_envs);
    if (o->frame_skip < 1)
        return abi_fail(LUDUS_BAD_OPTION, "frame_skip %d is too small: give 1 or more", (int)o->frame_skip);
    if (o->max_steps < 0)
        return abi_fail(LUDUS_BAD_OPTION, "max_steps %d is negative: give 0 for no limit", (int)o->max_steps);
    if (o->autoreset < LUDUS_RESET_NEXT_STEP || o->autoreset > LUDUS_RESET_NEVER)
        return abi_fail(LUDUS_BAD_OPTION, "autoreset %d is unknown: give 0 next step, 1 same step or 2 never",
                        (int)o->autoreset);
    if (!o->actions || !o->rewards || !o->terminated || !o->truncated || !o->places || !o->infos)
        return abi_fail(LUDUS_BAD_OPTION, "a buffer is missing: bind actions, rewards, terminated, truncated, "
                        "places and infos");
    return abi_check_threads(o->threads);
}

static pf_observation observation(const ludus_observation *o) {
    return (pf_observation){o->scene, o->enemies, o->merged, o->state};
}

static pf_reward reward(const ludus_reward *r) {
    return (pf_reward){r->progress, r->win, r->loss, r->coin, r->kill, r->power, r->tick};
}

static void bind(ludus_batch *b, const ludus_batch_options *o, const pf_view *view) {
    b->core = (pf_batch){
        .frame_skip = o->frame_skip,
        .max_steps = o->max_steps,
        .autoreset = (enum pf_autoreset)o->autoreset,
        .reward = reward(&o->reward),
        .view = *view,
        .envs = b->envs,
        .starts = b->starts.cores,
        .actions = o->actions,
        .rewards = o->rewards,
        .terminated = o->terminated,
        .truncated = o->truncated,
        .places = o->places,
        .infos = o->infos,
        .seen = observation(&o->seen),
        .seen_last = observation(&o->seen_last),
    };
}

static void share_pools(ludus_batch *b, const ludus_batch_options *o) {
    const int32_t *pool = b->pools;
    for (int32_t k = 0; k < b->n; k++) {
        b->envs[k] = (pf_env){.pool = pool, .n_pool = o->pool_sizes[k]};
        pool += o->pool_sizes[k];
    }
}

int32_t ludus_batch_new(const ludus_batch_options *given, ludus_batch **batch) {
    ludus_batch_options o;
    pf_view view;
    size_t total;
    int32_t error = abi_read_options(&o, sizeof o, given);
    if (error || (error = check_options(&o)) || (error = abi_check_view(&o.view, &view))
        || (error = check_pools(&o, &total)))
        return error;
    ludus_batch *b = calloc(1, sizeof *b);
    if (!b)
        return abi_no_memory();
    b->n = o.n_envs;
    b->threads = o.threads;
    b->envs = calloc((size_t)b->n, sizeof *b->envs);
    b->pools = malloc(total * sizeof *b->pools);
    error = b->envs && b->pools ? abi_copy_starts(&b->starts, o.starts, o.n_starts) : abi_no_memory();
    if (error) {
        ludus_batch_free(b);
        return error;
    }
    memcpy(b->pools, o.pools, total * sizeof *b->pools);
    share_pools(b, &o);
    bind(b, &o, &view);
    *batch = b;
    return LUDUS_OK;
}

void ludus_batch_free(ludus_batch *b) {
    if (!b)
        return;
    crew_free(b->crew);
    for (int32_t k = 0; b->envs && k < b->n; k++)
        pf_free(b->envs[k].world);
    abi_free_starts(&b->starts);
    free(b->envs);
    free(b->pools);
    free(b);
}

static int32_t check_env(const ludus_batch *b, int32_t env) {
    if (env >= 0 && env < b->n)
        return LUDUS_OK;
    return abi_fail(LUDUS_BAD_INDEX, "there is no environment %d: there are %d", (int)env, (int)b->n);
}

static int32_t not_begun(void) {
    return abi_fail(LUDUS_EPISODE_OVER, "the environments have not begun: call reset() first");
}

int32_t ludus_batch_seed(ludus_batch *b, int32_t env, uint64_t seed) {
    int32_t error = check_env(b, env);
    if (!error)
        pf_env_seed(&b->envs[env], seed);
    return error;
}

int32_t ludus_batch_reset(ludus_batch *b, int32_t env, int32_t level) {
    int32_t error = check_env(b, env);
    if (error)
        return error;
    if (level >= 0 && (size_t)level >= b->starts.n)
        return abi_fail(LUDUS_BAD_INDEX, "there is no level %d: there are %zu", (int)level, b->starts.n);
    return pf_batch_reset(&b->core, env, level) ? LUDUS_OK : abi_no_memory();
}

static int32_t check_step(const ludus_batch *b) {
    for (int32_t k = 0; k < b->n; k++) {
        if (b->core.actions[k] >= PF_ACTIONS)
            return abi_check_action(b->core.actions[k]);
        if (!b->envs[k].world)
            return not_begun();
        if (b->envs[k].over && b->core.autoreset == PF_RESET_NEVER)
            return abi_fail(LUDUS_EPISODE_OVER, "environment %d is finished: call reset() before the next step",
                            (int)k);
    }
    return LUDUS_OK;
}

static bool step_some(void *core, int first, int last) { return pf_batch_step(core, first, last); }

int32_t ludus_batch_step(ludus_batch *b) {
    int32_t error = check_step(b);
    if (error)
        return error;
    return crew_spread(&b->crew, b->threads, step_some, &b->core, b->n, CHUNKS) ? LUDUS_OK : abi_no_memory();
}

int32_t ludus_batch_over(const ludus_batch *b, int32_t env) {
    int32_t error = check_env(b, env);
    return error ? error : b->envs[env].over != 0;
}

int32_t ludus_batch_level(const ludus_batch *b, int32_t env) {
    int32_t error = check_env(b, env);
    if (error)
        return error;
    return b->envs[env].world ? b->envs[env].level : not_begun();
}

int32_t ludus_batch_world(const ludus_batch *b, int32_t env, ludus_world **world) {
    int32_t level = ludus_batch_level(b, env);
    if (level < 0)
        return level;
    return abi_wrap_world(pf_world_clone(b->envs[env].world), b->starts.worlds[level]->level, world);
}
