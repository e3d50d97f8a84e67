/* The worm: batches of worlds, spread over threads. */
#include "worm/batch.h"
#include "abi/worm.h"
#include "common/crew.h"

#include <stdlib.h>

enum { CHUNKS = 4 };

struct ludus_worm_batch {
    wm_batch core;
    ludus_worm_task *task; /* held */
    int32_t n, threads;
    bool begun;
    crew *crew;
};

static int32_t check_options(const ludus_worm_batch_options *o) {
    if (o->n < 1)
        return abi_fail(LUDUS_BAD_OPTION, "%d worlds are too few: give 1 or more", (int)o->n);
    if (o->autoreset < LUDUS_WORM_RESET_NEVER || o->autoreset > LUDUS_WORM_RESET_NEXT_STEP)
        return abi_fail(LUDUS_BAD_OPTION, "autoreset %d is unknown: give 0 never, 1 same step or 2 next step",
                        (int)o->autoreset);
    if (!o->actions || !o->features || !o->rewards || !o->ended || !o->seeds || !o->last || !o->finished)
        return abi_fail(LUDUS_BAD_OPTION, "a buffer is missing: bind actions, features, rewards, ended, seeds, last "
                        "and finished");
    if (o->autoreset == LUDUS_WORM_RESET_SAME_STEP && !o->final_features)
        return abi_fail(LUDUS_BAD_OPTION, "a reset in the same step needs a buffer for final_features");
    return abi_check_threads(o->threads);
}

static void bind(ludus_worm_batch *b, const ludus_worm_batch_options *o) {
    b->core.task = b->task->core;
    b->core.autoreset = (enum wm_autoreset)o->autoreset;
    b->core.actions = o->actions;
    b->core.steering = o->steering;
    b->core.features = o->features;
    b->core.final_features = o->final_features;
    b->core.rewards = o->rewards;
    b->core.ended = o->ended;
    b->core.seeds = o->seeds;
    b->core.last = o->last;
    b->core.finished = o->finished;
}

int32_t ludus_worm_batch_new(const ludus_worm_task *task, const ludus_worm_batch_options *given,
                             ludus_worm_batch **batch) {
    ludus_worm_batch_options o;
    int32_t error = abi_read_options(&o, sizeof o, given);
    if (error || (error = check_options(&o)))
        return error;
    ludus_worm_batch *b = calloc(1, sizeof *b);
    if (!b || !(b->core.worlds = abi_aligned((size_t)o.n * (size_t)task->core->world_size))) {
        free(b);
        return abi_no_memory();
    }
    b->task = abi_hold_task(task);
    b->n = o.n;
    b->threads = o.threads;
    bind(b, &o);
    *batch = b;
    return LUDUS_OK;
}

void ludus_worm_batch_free(ludus_worm_batch *b) {
    if (!b)
        return;
    crew_free(b->crew);
    free(b->core.worlds);
    ludus_worm_task_free(b->task);
    free(b);
}

int32_t ludus_worm_batch_begin(ludus_worm_batch *b, const int64_t *seeds, size_t n) {
    if (n != (size_t)b->n)
        return abi_fail(LUDUS_BAD_OPTION, "%zu seeds were given: give one for each of %d worlds", n, (int)b->n);
    for (int32_t k = 0; k < b->n; k++)
        if (seeds[k] < 0 && !b->begun)
            return abi_fail(LUDUS_EPISODE_OVER, "world %d has not begun: give it a seed", (int)k);
    for (int32_t k = 0; k < b->n; k++)
        if (seeds[k] != -1)
            wm_batch_begin(&b->core, k, seeds[k] >= 0 ? (uint64_t)seeds[k] : wm_next_seed(b->core.seeds[k]));
    b->begun = true;
    return LUDUS_OK;
}

static int32_t check_actions(const ludus_worm_batch *b) {
    uint32_t all = 0;
    for (int32_t k = 0; k < b->n; k++)
        all |= (uint32_t)b->core.actions[k];
    for (int32_t k = 0; all >= WM_ACTIONS && k < b->n; k++) {
        int32_t error = abi_check_worm_action(b->core.actions[k]);
        if (error)
            return error;
    }
    return LUDUS_OK;
}

static int32_t check_begun(const ludus_worm_batch *b) {
    return b->begun ? LUDUS_OK : abi_fail(LUDUS_EPISODE_OVER, "the worlds have not begun: call begin() first");
}

static bool step_some(void *core, int first, int last) {
    wm_batch_step(core, first, last);
    return true;
}

int32_t ludus_worm_batch_step(ludus_worm_batch *b, int32_t steered) {
    int32_t error = check_begun(b);
    if (error || (!steered && (error = check_actions(b))))
        return error;
    if (steered && !b->core.steering)
        return abi_fail(LUDUS_BAD_OPTION, "no steering was bound: give a buffer for it");
    b->core.steered = steered != 0;
    return crew_spread(&b->crew, b->threads, step_some, &b->core, b->n, CHUNKS) ? LUDUS_OK : abi_no_memory();
}

int32_t ludus_worm_batch_world(const ludus_worm_batch *b, int32_t k, ludus_worm **worm) {
    if (k < 0 || k >= b->n)
        return abi_fail(LUDUS_BAD_INDEX, "there is no world %d: there are %d", (int)k, (int)b->n);
    int32_t error = check_begun(b);
    return error ? error : abi_copy_worm(b->task, wm_batch_world(&b->core, k), worm);
}

size_t ludus_worm_batch_figures(const ludus_worm_batch *b, double *figures, size_t capacity) {
    for (size_t k = 0; b->begun && k < (size_t)b->n && k < capacity; k++)
        wm_figures(wm_batch_world(&b->core, (int)k), &figures[k * WM_FIGURES]);
    return b->begun ? (size_t)b->n : 0;
}

size_t ludus_worm_batch_places(const ludus_worm_batch *b, double *places, size_t capacity) {
    for (size_t k = 0; b->begun && k < (size_t)b->n && k < capacity; k++) {
        places[2 * k] = wm_batch_world(&b->core, (int)k)->x;
        places[2 * k + 1] = wm_batch_world(&b->core, (int)k)->y;
    }
    return b->begun ? (size_t)b->n : 0;
}
