/* Batches of environments, spread over threads. */
#include "platformer/batch.h"
#include "abi/internal.h"
#include "common/crew.h"
#include "common/seal.h"
#include "platformer/rules/rules.h"
#include "platformer/saved_state.h"
#include "training/sight.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)PF_INFO_FIELDS == (int)LUDUS_INFO_FIELDS, "the header tells the size of an info");
_Static_assert((int)PF_COURSE_FIELDS == (int)LUDUS_COURSE_FIELDS, "the header tells the facts of a course");
_Static_assert((int)PF_PICTURES == (int)LUDUS_PICTURES && (int)SIGHT_SCREEN_SIDE == (int)LUDUS_SCREEN_SIDE,
               "the header tells the size of pictures");

struct ludus_batch {
    pf_batch core;
    int32_t n, threads;
    pf_env *envs;
    int32_t *pools;
    abi_starts starts;
    pf_scenery **scenes, **merged_scenes;
    size_t choices;    /* levels or courses that can be played */
    int32_t n_actions; /* that worlds of every level take */
    bool begun;        /* every environment has a world */
    crew *crew;
};

/* What a pool can name: levels, or courses of levels. */
static size_t count_choices(const ludus_batch_options *o) {
    return o->lives ? o->n_starts / ((size_t)o->n_stages * (size_t)o->n_modes) : o->n_starts;
}

static int32_t check_courses(const ludus_batch_options *o) {
    if (!o->lives)
        return LUDUS_OK;
    if (o->lives < 0 || o->no_ops < 0 || o->n_stages < 1 || (o->n_modes != 1 && o->n_modes != 3) || !o->courses)
        return abi_fail(LUDUS_BAD_OPTION, "lives %d, no_ops %d, n_stages %d and n_modes %d make no course: give at "
                        "least 1, 0, 1, and 1 or 3, and bind courses", (int)o->lives, (int)o->no_ops,
                        (int)o->n_stages, (int)o->n_modes);
    if (!(o->sticky >= 0 && o->sticky < 1))
        return abi_fail(LUDUS_BAD_OPTION, "sticky %g is no probability from 0 up to 1", o->sticky);
    if (!o->n_starts || o->n_starts % ((size_t)o->n_stages * (size_t)o->n_modes))
        return abi_fail(LUDUS_BAD_OPTION, "%zu starts are not courses of %d levels in %d modes", o->n_starts,
                        (int)o->n_stages, (int)o->n_modes);
    return LUDUS_OK;
}

static int32_t check_pools(const ludus_batch_options *o, size_t *total) {
    size_t choices = count_choices(o);
    *total = 0;
    for (int32_t k = 0; k < o->n_envs; k++) {
        if (o->pool_sizes[k] < 1)
            return abi_fail(LUDUS_BAD_OPTION, "environment %d has no level: give each at least one", (int)k);
        *total += (size_t)o->pool_sizes[k];
    }
    for (size_t k = 0; k < *total; k++)
        if (o->pools[k] < 0 || (size_t)o->pools[k] >= choices)
            return abi_fail(LUDUS_BAD_OPTION, "level %d is unknown: there are %zu", (int)o->pools[k], choices);
    return LUDUS_OK;
}

/* Worlds of a batch take the same actions, and show the same besides grids and state if that is asked for. */
static int32_t check_starts(const ludus_batch_options *o) {
    for (size_t k = 0; k < o->n_starts; k++) {
        const pf_rules *rules = o->starts[k]->core->rules, *first = o->starts[0]->core->rules;
        bool same = rules->maps == first->maps && (rules == first || !first->maps);
        if (!same)
            return abi_fail(LUDUS_BAD_OPTION, "levels for the rules '%s' and '%s' take other actions: give levels for "
                            "the same rules", first->name, rules->name);
        if (rules->maps && (o->fields || o->pixels))
            return abi_fail(LUDUS_BAD_OPTION, "worlds of the rules '%s' cannot be seen as fields or pixels",
                            rules->name);
        if ((o->extra || o->extra_last) && !rules->see_extra)
            return abi_fail(LUDUS_BAD_OPTION, "the rules '%s' show nothing besides grids and state", rules->name);
    }
    return LUDUS_OK;
}

static int32_t check_options(const ludus_batch_options *o) {
    if (o->n_envs < 1)
        return abi_fail(LUDUS_BAD_OPTION, "%d environments are too few: give 1 or more", (int)o->n_envs);
    if (o->frame_skip < 1)
        return abi_fail(LUDUS_BAD_OPTION, "frame_skip %d is too small: give 1 or more", (int)o->frame_skip);
    if (o->max_steps < 0)
        return abi_fail(LUDUS_BAD_OPTION, "max_steps %d is negative: give 0 for no limit", (int)o->max_steps);
    if (o->latency < 0 || o->latency > 1)
        return abi_fail(LUDUS_BAD_OPTION, "latency %d is out of range: give 0 or 1 step", (int)o->latency);
    if (o->autoreset < LUDUS_RESET_NEXT_STEP || o->autoreset > LUDUS_RESET_NEVER)
        return abi_fail(LUDUS_BAD_OPTION, "autoreset %d is unknown: give 0 next step, 1 same step or 2 never",
                        (int)o->autoreset);
    if (!o->actions || !o->rewards || !o->terminated || !o->truncated || !o->places || !o->infos)
        return abi_fail(LUDUS_BAD_OPTION, "a buffer is missing: bind actions, rewards, terminated, truncated, "
                        "places and infos");
    return abi_check_threads(o->threads);
}

static pf_observation observation(const ludus_observation *o, uint8_t *extra, int8_t *fields, uint8_t *pixels) {
    return (pf_observation){o->scene, o->enemies, o->merged, o->state, extra, fields, pixels};
}

static pf_reward reward(const ludus_reward *r) {
    return (pf_reward){r->progress, r->win, r->loss, r->coin, r->kill, r->power, r->tick};
}

static void bind(ludus_batch *b, const ludus_batch_options *o, const pf_view *view) {
    b->core = (pf_batch){
        .frame_skip = o->frame_skip,
        .max_steps = o->max_steps,
        .latency = o->latency,
        .autoreset = (enum pf_autoreset)o->autoreset,
        .reward = reward(&o->reward),
        .view = *view,
        .terms = {o->sticky, o->no_ops, o->lives, o->n_stages, o->n_modes},
        .sight = {sight_fields, sight_screen, SIGHT_FIELDS, SIGHT_SCREEN},
        .envs = b->envs,
        .starts = b->starts.cores,
        .scenes = b->scenes,
        .merged_scenes = b->merged_scenes,
        .actions = o->actions,
        .rewards = o->rewards,
        .terminated = o->terminated,
        .truncated = o->truncated,
        .won = o->won,
        .places = o->places,
        .infos = o->infos,
        .courses = o->courses,
        .seen = observation(&o->seen, o->extra, o->fields, o->pixels),
        .seen_last = observation(&o->seen_last, o->extra_last, o->fields_last, o->pixels_last),
    };
}

static void share_pools(ludus_batch *b, const ludus_batch_options *o) {
    const int32_t *pool = b->pools;
    for (int32_t k = 0; k < b->n; k++) {
        b->envs[k] = (pf_env){.pool = pool, .n_pool = o->pool_sizes[k]};
        pool += o->pool_sizes[k];
    }
}

/* Without memory for them, grids are filled cell by cell. */
static void draw_sceneries(ludus_batch *b, const ludus_batch_options *o, const pf_view *view) {
    if (o->seen.scene)
        b->scenes = pf_sceneries_new(b->starts.cores, b->starts.n, PF_SCENE, view);
    if (o->seen.merged)
        b->merged_scenes = pf_sceneries_new(b->starts.cores, b->starts.n, PF_MERGED, view);
}

static int32_t least_actions(const abi_starts *starts) {
    int32_t least = starts->cores[0]->rules->n_actions;
    for (size_t k = 1; k < starts->n; k++)
        if (starts->cores[k]->rules->n_actions < least)
            least = starts->cores[k]->rules->n_actions;
    return least;
}

int32_t ludus_batch_new(const ludus_batch_options *given, ludus_batch **batch) {
    ludus_batch_options o;
    pf_view view;
    size_t total;
    int32_t error = abi_read_options(&o, sizeof o, given);
    if (error || (error = check_options(&o)) || (error = abi_check_view(&o.view, &view))
        || (error = check_courses(&o)) || (error = check_pools(&o, &total)) || (error = check_starts(&o)))
        return error;
    ludus_batch *b = calloc(1, sizeof *b);
    if (!b)
        return abi_no_memory();
    b->n = o.n_envs;
    b->threads = o.threads;
    b->choices = count_choices(&o);
    b->envs = calloc((size_t)b->n, sizeof *b->envs);
    b->pools = malloc(total * sizeof *b->pools);
    error = b->envs && b->pools ? abi_copy_starts(&b->starts, o.starts, o.n_starts) : abi_no_memory();
    if (error) {
        ludus_batch_free(b);
        return error;
    }
    memcpy(b->pools, o.pools, total * sizeof *b->pools);
    b->n_actions = least_actions(&b->starts);
    share_pools(b, &o);
    draw_sceneries(b, &o, &view);
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
    pf_sceneries_free(b->scenes, b->starts.n);
    pf_sceneries_free(b->merged_scenes, b->starts.n);
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
    size_t choices = b->choices;
    if (level >= 0 && (size_t)level >= choices)
        return abi_fail(LUDUS_BAD_INDEX, "there is no level %d: there are %zu", (int)level, choices);
    return pf_batch_reset(&b->core, env, level) ? LUDUS_OK : abi_no_memory();
}

static bool has_begun(ludus_batch *b) {
    for (int32_t k = 0; k < b->n && !b->begun; k++)
        if (!b->envs[k].world)
            return false;
    b->begun = true;
    return true;
}

static int32_t largest_action(const ludus_batch *b) {
    const uint8_t *actions = b->core.actions;
    uint8_t largest = 0;
    for (int32_t k = 0; k < b->n; k++)
        largest = actions[k] > largest ? actions[k] : largest;
    return largest;
}

/* Environments and worlds lie apart in memory and are looked at only where that is needed. */
static int32_t check_step(ludus_batch *b) {
    if (!has_begun(b))
        return not_begun();
    if (largest_action(b) >= b->n_actions)
        for (int32_t k = 0; k < b->n; k++)
            if (abi_check_action(b->envs[k].world, b->core.actions[k]))
                return LUDUS_BAD_ACTION;
    for (int32_t k = 0; b->core.autoreset == PF_RESET_NEVER && k < b->n; k++)
        if (b->envs[k].over)
            return abi_fail(LUDUS_EPISODE_OVER, "environment %d is finished: call reset() before the next step",
                            (int)k);
    return LUDUS_OK;
}

static bool step_some(void *core, int first, int last) { return pf_batch_step(core, first, last); }

int32_t ludus_batch_step(ludus_batch *b) {
    int32_t error = check_step(b);
    if (error)
        return error;
    return crew_spread(&b->crew, b->threads, step_some, &b->core, b->n) ? LUDUS_OK : abi_no_memory();
}

int32_t ludus_batch_over(const ludus_batch *b, int32_t env) {
    int32_t error = check_env(b, env);
    return error ? error : b->envs[env].over != 0;
}

/* The start that an environment's world began with, or another of the same level. */
static int32_t start_of(const ludus_batch *b, const pf_env *env) {
    return b->core.terms.lives ? pf_course_start(&b->core.terms, &env->course, 0) : env->level;
}

int32_t ludus_batch_level(const ludus_batch *b, int32_t env) {
    int32_t error = check_env(b, env);
    if (error)
        return error;
    return b->envs[env].world ? start_of(b, &b->envs[env]) : not_begun();
}

int32_t ludus_batch_course_seed(const ludus_batch *b, int32_t env, uint64_t *seed) {
    int32_t level = ludus_batch_level(b, env);
    if (level < 0)
        return level;
    *seed = b->envs[env].course.seed;
    return LUDUS_OK;
}

int32_t ludus_batch_world(const ludus_batch *b, int32_t env, ludus_world **world) {
    int32_t level = ludus_batch_level(b, env);
    if (level < 0)
        return level;
    return abi_wrap_world(pf_world_clone(b->envs[env].world), b->starts.worlds[level]->level, world);
}

/* ---- states ---------------------------------------------------------------------------------
 *
 * A head, then a place for each environment with the state of its world behind it.
 */

enum { MAGIC = 0x4250554c /* LUPB */, VERSION = 2, MOST_STEPS = 1 << 30 };

typedef struct {
    uint64_t random, size; /* size: of the world's state; 0 for none */
    int32_t level, steps, over, pending;
    int64_t seeded;
    pf_course course;
} place;

_Static_assert(sizeof(place) == 2 * 8 + 4 * 4 + 8 + sizeof(pf_course) && sizeof(pf_course) == 16 + 14 * 4,
               "a state has no gaps");

/* What must be the same where a state goes: the levels, and which of them each environment draws from. */
static seal seal_of(const ludus_batch *b) {
    digest d = digest_begin();
    const pf_course_terms *terms = &b->core.terms;
    digest_i32(&d, terms->lives ? terms->n_stages * terms->n_modes : 0);
    for (size_t k = 0; k < b->starts.n; k++)
        digest_u64(&d, b->starts.cores[k]->level->identity);
    for (int32_t k = 0; k < b->n; k++) {
        digest_i32(&d, b->envs[k].n_pool);
        for (int32_t j = 0; j < b->envs[k].n_pool; j++)
            digest_i32(&d, b->envs[k].pool[j]);
    }
    return (seal){.magic = MAGIC, .version = VERSION, .subject = digest_end(&d)};
}

static place place_of(const ludus_batch *b, const pf_env *env) {
    size_t size = env->world ? pf_save(env->world, NULL, 0) : 0;
    return (place){env->random, size, env->level, env->steps, env->over,
                   b->core.latency ? env->pending : 0, env->seeded, env->course};
}

size_t ludus_batch_save(const ludus_batch *b, void *bytes, size_t capacity) {
    size_t at = sizeof(seal);
    uint8_t *out = bytes;
    for (int32_t k = 0; k < b->n; k++) {
        place p = place_of(b, &b->envs[k]);
        size_t end = at + sizeof p + p.size;
        if (end <= capacity) {
            memcpy(out + at, &p, sizeof p);
            if (p.size)
                pf_save(b->envs[k].world, out + at + sizeof p, p.size);
        }
        at = end;
    }
    if (at <= capacity)
        seal_write(out, at, seal_of(b));
    return at;
}

static bool is_count(int32_t value) { return value >= 0 && value <= MOST_STEPS; }

static bool course_fits(const ludus_batch *b, const pf_course *c) {
    const int32_t counts[] = {c->lives, c->deaths, c->levels_completed, c->ticks,
                              c->all_coins, c->earlier_coins, c->stage_coins, c->max_x};
    bool fits = c->number >= 0 && (size_t)c->number < b->choices && c->stage >= 0;
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        fits = fits && is_count(counts[k]);
    return fits && (!b->core.terms.lives || c->stage < b->core.terms.n_stages) && c->finished >= 0 && c->finished <= 1
           && c->flag >= 0 && c->flag <= 1 && c->pressed >= 0
           && c->pressed < b->starts.cores[0]->rules->n_actions;
}

/* The start whose level the world of a place is on. */
static const pf_world *start_of_place(const ludus_batch *b, const place *p) {
    pf_env env = {.level = p->level, .course = p->course};
    return b->starts.cores[start_of(b, &env)];
}

static const char *check_place(const ludus_batch *b, const place *p, const uint8_t *world) {
    if (p->level < 0 || (size_t)p->level >= b->choices || !is_count(p->steps) || p->over < 0 || p->over > 1
        || p->pending < 0 || p->pending >= b->starts.cores[0]->rules->n_actions || p->seeded < 0 || p->seeded > 1
        || !course_fits(b, &p->course))
        return "it holds what no game leads to";
    return p->size ? pf_check_saved(start_of_place(b, p), world, p->size) : NULL;
}

static const char *check_saved(const ludus_batch *b, const uint8_t *bytes, size_t size) {
    const char *reason = seal_check(bytes, size, seal_of(b));
    size_t at = sizeof(seal);
    for (int32_t k = 0; k < b->n && !reason; k++) {
        place p;
        if (size - at < sizeof p)
            return "it is too short";
        memcpy(&p, bytes + at, sizeof p);
        at += sizeof p;
        if (p.size > size - at)
            return "it is too short";
        reason = check_place(b, &p, bytes + at);
        at += p.size;
    }
    return reason ? reason : at == size ? NULL : "its parts do not add up to its size";
}

static bool load_world(const ludus_batch *b, const place *p, const uint8_t *bytes, pf_world **world) {
    *world = p->size ? pf_world_clone(start_of_place(b, p)) : NULL;
    return !p->size || (*world && pf_world_load(world, bytes));
}

/* Environments as the state has them, with worlds of their own; NULL if there is no memory. */
static pf_env *load_envs(const ludus_batch *b, const uint8_t *bytes) {
    pf_env *envs = calloc((size_t)b->n, sizeof *envs);
    bool good = envs;
    size_t at = sizeof(seal);
    for (int32_t k = 0; k < b->n && good; k++) {
        place p;
        memcpy(&p, bytes + at, sizeof p);
        envs[k] = (pf_env){NULL, b->envs[k].pool, b->envs[k].n_pool, p.level, p.steps, p.over, p.random,
                           p.pending, (int32_t)p.seeded, p.course};
        good = load_world(b, &p, bytes + at + sizeof p, &envs[k].world);
        at += sizeof p + p.size;
    }
    for (int32_t k = 0; !good && envs && k < b->n; k++)
        pf_free(envs[k].world);
    if (!good)
        free(envs);
    return good ? envs : NULL;
}

int32_t ludus_batch_load(ludus_batch *b, const void *bytes, size_t size) {
    const char *reason = check_saved(b, bytes, size);
    if (reason)
        return abi_fail(LUDUS_BAD_OPTION, "these %zu bytes are no state of these environments: %s: give what "
                        "environments with the same levels and options have saved", size, reason);
    pf_env *envs = load_envs(b, bytes);
    if (!envs)
        return abi_no_memory();
    for (int32_t k = 0; k < b->n; k++) {
        pf_free(b->envs[k].world);
        b->envs[k] = envs[k];
        if (envs[k].world)
            pf_batch_show(&b->core, k);
    }
    free(envs);
    b->begun = false;
    return LUDUS_OK;
}
