/* Batches of colonies, spread over threads. */
#include "abi/colony.h"
#include "common/crew.h"
#include "common/digest.h"
#include "common/seal.h"
#include "worm/batch.h"

#include <stdlib.h>
#include <string.h>

struct ludus_colony_batch {
    colony_plan *plan; /* held */
    ludus_colony_batch_options bound;
    char *colonies;
    bool begun;
    crew *crew;
};

static wm_colony *colony_at(const ludus_colony_batch *b, int k) {
    return (wm_colony *)(void *)(b->colonies + (size_t)k * (size_t)b->plan->core.size);
}

static int32_t check_options(const ludus_colony_batch_options *o) {
    if (o->n < 1)
        return abi_fail(LUDUS_BAD_OPTION, "%d colonies are too few: give 1 or more", (int)o->n);
    if (!o->actions || !o->features || !o->rewards || !o->ended || !o->seeds || !o->last || !o->finished)
        return abi_fail(LUDUS_BAD_OPTION, "a buffer is missing: bind actions, features, rewards, ended, seeds, last "
                        "and finished");
    return abi_check_threads(o->threads);
}

int32_t ludus_colony_batch_new(const ludus_worm_task *task, const ludus_colony_options *colony,
                               const ludus_colony_batch_options *given, ludus_colony_batch **batch) {
    ludus_colony_batch_options o;
    colony_plan *plan;
    int32_t error = abi_read_options(&o, sizeof o, given);
    if (error || (error = check_options(&o)) || (error = abi_new_colony_plan(task, colony, &plan)))
        return error;
    ludus_colony_batch *b = calloc(1, sizeof *b);
    if (!b || !(b->colonies = abi_aligned((size_t)o.n * (size_t)plan->core.size))) {
        free(b);
        abi_free_colony_plan(plan);
        return abi_no_memory();
    }
    b->plan = plan;
    b->bound = o;
    *batch = b;
    return LUDUS_OK;
}

void ludus_colony_batch_free(ludus_colony_batch *b) {
    if (!b)
        return;
    crew_free(b->crew);
    free(b->colonies);
    abi_free_colony_plan(b->plan);
    free(b);
}

static void show(ludus_colony_batch *b, int k) {
    const wm_colony_plan *plan = &b->plan->core;
    size_t first = (size_t)k * (size_t)plan->worms;
    for (int j = 0; j < plan->worms; j++)
        wm_colony_features(colony_at(b, k), j, b->bound.features + (first + (size_t)j) * (size_t)plan->n_features);
}

static void begin(ludus_colony_batch *b, int k, uint64_t seed) {
    wm_colony_begin(colony_at(b, k), &b->plan->core, seed);
    b->bound.seeds[k] = seed;
    show(b, k);
}

int32_t ludus_colony_batch_begin(ludus_colony_batch *b, const uint64_t *seeds, size_t n) {
    size_t worms = (size_t)b->plan->core.worms;
    if (n != (size_t)b->bound.n)
        return abi_fail(LUDUS_BAD_OPTION, "%zu seeds were given: give one for each of %d colonies", n, (int)b->bound.n);
    memset(b->bound.rewards, 0, n * worms * sizeof *b->bound.rewards);
    memset(b->bound.ended, 0, n * worms);
    memset(b->bound.last, 0, n * worms * WM_FIGURES * sizeof *b->bound.last);
    memset(b->bound.finished, 0, n * sizeof *b->bound.finished);
    for (int32_t k = 0; k < b->bound.n; k++)
        begin(b, k, seeds[k]);
    b->begun = true;
    return LUDUS_OK;
}

static void finish(ludus_colony_batch *b, int k) {
    size_t worms = (size_t)b->plan->core.worms;
    for (size_t j = 0; j < worms; j++)
        wm_figures(wm_colony_world(colony_at(b, k), (int)j), b->bound.last + ((size_t)k * worms + j) * WM_FIGURES);
    b->bound.finished[k]++;
    if (b->bound.autoreset)
        begin(b, k, wm_next_seed(b->bound.seeds[k]));
}

static void step(ludus_colony_batch *b, int k) {
    const wm_colony_plan *plan = &b->plan->core;
    wm_colony *c = colony_at(b, k);
    size_t first = (size_t)k * (size_t)plan->worms;
    int32_t actions[WM_MAX_WORMS];
    double rewards[WM_MAX_WORMS];
    bool alive = c->alive > 0;
    for (int j = 0; j < plan->worms; j++) {
        int32_t action = b->bound.actions[first + (size_t)j]; /* it may have changed since it was checked */
        actions[j] = action >= 0 && action < (int32_t)plan->terms.actions ? action : WM_STAY;
    }
    wm_colony_step(c, actions, rewards);
    for (int j = 0; j < plan->worms; j++) {
        b->bound.rewards[first + (size_t)j] = (float)rewards[j];
        b->bound.ended[first + (size_t)j] = (uint8_t)wm_colony_world(c, j)->ended;
    }
    if (alive && c->alive == 0)
        finish(b, k);
    if (alive)
        show(b, k);
}

static bool step_some(void *batch, int first, int last) {
    for (int k = first; k < last; k++)
        step(batch, k);
    return true;
}

int32_t ludus_colony_batch_step(ludus_colony_batch *b) {
    const wm_colony_plan *plan = &b->plan->core;
    if (!b->begun)
        return abi_fail(LUDUS_EPISODE_OVER, "the colonies have not begun: call begin() first");
    int32_t error = abi_check_colony_actions(plan, b->bound.actions, (size_t)b->bound.n * (size_t)plan->worms);
    if (error)
        return error;
    return crew_spread(&b->crew, b->bound.threads, step_some, b, b->bound.n) ? LUDUS_OK : abi_no_memory();
}

int32_t ludus_colony_batch_colony(const ludus_colony_batch *b, int32_t k, ludus_colony **colony) {
    if (k < 0 || k >= b->bound.n)
        return abi_fail(LUDUS_BAD_INDEX, "there is no colony %d: there are %d", (int)k, (int)b->bound.n);
    if (!b->begun)
        return abi_fail(LUDUS_EPISODE_OVER, "the colonies have not begun: call begin() first");
    return abi_new_colony(b->plan, colony_at(b, k), colony);
}

/* ---- states: a head, then for each colony its seed, what has finished, and its state ----------- */

enum { MAGIC = 0x4243554c /* LUCB */, VERSION = 1 };

static seal seal_of(const ludus_colony_batch *b) {
    uint64_t subject = digest_mix(b->plan->core.identity, (uint64_t)b->bound.n);
    return (seal){.magic = MAGIC, .version = VERSION, .subject = subject};
}

static size_t last_size(const ludus_colony_batch *b) {
    return (size_t)b->plan->core.worms * WM_FIGURES * sizeof *b->bound.last;
}

/* What stands before a colony's state: its seed, its finished episodes and the figures of the last. */
static size_t front_size(const ludus_colony_batch *b) {
    return sizeof *b->bound.seeds + sizeof *b->bound.finished + last_size(b);
}

static size_t stride(const ludus_colony_batch *b) { return front_size(b) + wm_colony_saved_size(&b->plan->core); }

static double *last_of(const ludus_colony_batch *b, int k) {
    return b->bound.last + (size_t)k * (size_t)b->plan->core.worms * WM_FIGURES;
}

size_t ludus_colony_batch_save(const ludus_colony_batch *b, void *bytes, size_t capacity) {
    size_t size = sizeof(seal) + (b->begun ? (size_t)b->bound.n * stride(b) : 0);
    uint8_t *out = bytes;
    if (capacity < size)
        return size;
    for (int32_t k = 0; b->begun && k < b->bound.n; k++) {
        uint8_t *to = out + sizeof(seal) + (size_t)k * stride(b);
        memcpy(to, &b->bound.seeds[k], sizeof *b->bound.seeds);
        to += sizeof *b->bound.seeds;
        memcpy(to, &b->bound.finished[k], sizeof *b->bound.finished);
        to += sizeof *b->bound.finished;
        memcpy(to, last_of(b, k), last_size(b));
        wm_colony_save(colony_at(b, k), to + last_size(b));
    }
    seal_write(out, size, seal_of(b));
    return size;
}

static const char *check_saved(const ludus_colony_batch *b, const uint8_t *bytes, size_t size) {
    const char *reason = seal_check(bytes, size, seal_of(b));
    if (reason || size == sizeof(seal))
        return reason;
    if (size != sizeof(seal) + (size_t)b->bound.n * stride(b))
        return "its parts do not add up to its size";
    for (int32_t k = 0; k < b->bound.n && !reason; k++)
        reason = wm_colony_check_saved(&b->plan->core, bytes + sizeof(seal) + (size_t)k * stride(b) + front_size(b),
                                       stride(b) - front_size(b));
    return reason;
}

static void load(ludus_colony_batch *b, int k, const uint8_t *in) {
    size_t worms = (size_t)b->plan->core.worms;
    memcpy(&b->bound.seeds[k], in, sizeof *b->bound.seeds);
    in += sizeof *b->bound.seeds;
    memcpy(&b->bound.finished[k], in, sizeof *b->bound.finished);
    in += sizeof *b->bound.finished;
    memcpy(last_of(b, k), in, last_size(b));
    wm_colony_load(colony_at(b, k), &b->plan->core, in + last_size(b));
    for (size_t j = 0; j < worms; j++)
        b->bound.ended[(size_t)k * worms + j] = (uint8_t)wm_colony_world(colony_at(b, k), (int)j)->ended;
    show(b, k);
}

int32_t ludus_colony_batch_load(ludus_colony_batch *b, const void *bytes, size_t size) {
    const uint8_t *in = bytes;
    const char *reason = check_saved(b, in, size);
    if (reason)
        return abi_fail(LUDUS_BAD_OPTION, "these %zu bytes are no state of these colonies: %s: give what a batch of "
                        "%d colonies of the same task has saved", size, reason, (int)b->bound.n);
    b->begun = size > sizeof(seal);
    for (int32_t k = 0; b->begun && k < b->bound.n; k++)
        load(b, k, in + sizeof(seal) + (size_t)k * stride(b));
    return LUDUS_OK;
}
