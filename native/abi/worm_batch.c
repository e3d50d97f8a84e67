/* The worm: batches of worlds, spread over threads. */
#include "worm/batch.h"
#include "abi/worm.h"
#include "common/crew.h"
#include "common/seal.h"
#include "worm/saved_state.h"

#include <stdlib.h>
#include <string.h>

struct ludus_worm_batch {
    wm_batch core;
    ludus_worm_task *task; /* held */
    int32_t n, threads;
    bool begun;
    crew *crew;
};

/* The world of a batch that has one and no more, which has begun; NULL of any other. */
const wm_batch *abi_only_world(const ludus_worm_batch *b) { return b->n == 1 && b->begun ? &b->core : NULL; }

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
    return crew_spread(&b->crew, b->threads, step_some, &b->core, b->n) ? LUDUS_OK : abi_no_memory();
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

/* ---- states: a head, then a place for each world with its state behind it --------------------- */

enum { MAGIC = 0x4257554c /* LUWB */, VERSION = 1 };

typedef struct {
    uint64_t seed;
    int64_t finished;
    double last[WM_FIGURES];
} place;

static seal seal_of(const ludus_worm_batch *b) {
    uint64_t subject = digest_mix(b->core.task->identity, (uint64_t)b->n);
    return (seal){.magic = MAGIC, .version = VERSION, .subject = subject};
}

/* What one world takes. */
static size_t stride(const ludus_worm_batch *b) { return sizeof(place) + wm_saved_size(b->core.task); }

size_t ludus_worm_batch_save(const ludus_worm_batch *b, void *bytes, size_t capacity) {
    size_t size = sizeof(seal) + (b->begun ? (size_t)b->n * stride(b) : 0);
    uint8_t *out = bytes;
    if (capacity < size)
        return size;
    for (int32_t k = 0; b->begun && k < b->n; k++) {
        uint8_t *to = out + sizeof(seal) + (size_t)k * stride(b);
        place p = {b->core.seeds[k], b->core.finished[k], {0}};
        memcpy(p.last, b->core.last + (size_t)k * WM_FIGURES, sizeof p.last);
        memcpy(to, &p, sizeof p);
        wm_save(wm_batch_world(&b->core, k), to + sizeof p);
    }
    seal_write(out, size, seal_of(b));
    return size;
}

static const char *check_saved(const ludus_worm_batch *b, const uint8_t *bytes, size_t size) {
    const char *reason = seal_check(bytes, size, seal_of(b));
    if (reason || size == sizeof(seal))
        return reason;
    if (size != sizeof(seal) + (size_t)b->n * stride(b))
        return "its parts do not add up to its size";
    for (int32_t k = 0; k < b->n && !reason; k++)
        reason = wm_check_saved(b->core.task, bytes + sizeof(seal) + (size_t)k * stride(b) + sizeof(place),
                                stride(b) - sizeof(place));
    return reason;
}

int32_t ludus_worm_batch_load(ludus_worm_batch *b, const void *bytes, size_t size) {
    const uint8_t *in = bytes;
    const char *reason = check_saved(b, in, size);
    if (reason)
        return abi_fail(LUDUS_BAD_OPTION, "these %zu bytes are no state of these worlds: %s: give what a batch of "
                        "%d worlds of the same task has saved", size, reason, (int)b->n);
    b->begun = size > sizeof(seal);
    for (int32_t k = 0; b->begun && k < b->n; k++) {
        place p;
        memcpy(&p, in + sizeof(seal) + (size_t)k * stride(b), sizeof p);
        wm_load(wm_batch_world(&b->core, k), b->core.task, in + sizeof(seal) + (size_t)k * stride(b) + sizeof p);
        b->core.seeds[k] = p.seed;
        b->core.finished[k] = p.finished;
        memcpy(b->core.last + (size_t)k * WM_FIGURES, p.last, sizeof p.last);
        wm_batch_show(&b->core, k);
    }
    return LUDUS_OK;
}
