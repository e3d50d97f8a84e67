/* Diplomacy: many games at once, spread over threads. */
#include "diplomacy/batch.h"
#include "abi/diplomacy.h"
#include "common/crew.h"

#include <stdlib.h>

struct ludus_diplomacy_batch {
    dp_batch core;
    int32_t n, threads;
    crew *crew;
};

static int32_t check_options(const ludus_diplomacy_batch_options *o) {
    if (o->n < 1)
        return abi_fail(LUDUS_BAD_OPTION, "%d games are too few: give 1 or more", (int)o->n);
    if (!o->actions || !o->counts || !o->owners || !o->planes || !o->times || !o->rewards || !o->ended)
        return abi_fail(LUDUS_BAD_OPTION, "a buffer is missing: bind actions, counts, owners, planes, times, "
                        "rewards and ended");
    return abi_check_threads(o->threads);
}

int32_t ludus_diplomacy_batch_new(const ludus_diplomacy_batch_options *given, ludus_diplomacy_batch **batch) {
    ludus_diplomacy_batch_options o;
    int32_t error = abi_read_options(&o, sizeof o, given);
    if (error || (error = check_options(&o)))
        return error;
    ludus_diplomacy_batch *b = calloc(1, sizeof *b);
    if (!b || !(b->core.games = malloc((size_t)o.n * sizeof *b->core.games))) {
        free(b);
        return abi_no_memory();
    }
    b->n = o.n;
    b->threads = o.threads;
    b->core = (dp_batch){b->core.games, o.last_year, o.actions, o.counts, o.owners,
                         o.planes,      o.times,     o.rewards, o.ended};
    ludus_diplomacy_batch_begin(b);
    *batch = b;
    return LUDUS_OK;
}

void ludus_diplomacy_batch_free(ludus_diplomacy_batch *b) {
    if (!b)
        return;
    crew_free(b->crew);
    free(b->core.games);
    free(b);
}

void ludus_diplomacy_batch_begin(ludus_diplomacy_batch *b) {
    for (int32_t k = 0; k < b->n; k++)
        dp_batch_begin(&b->core, k);
}

static bool step_some(void *core, int first, int last) {
    dp_batch_step(core, first, last);
    return true;
}

int32_t ludus_diplomacy_batch_step(ludus_diplomacy_batch *b) {
    return crew_spread(&b->crew, b->threads, step_some, &b->core, b->n) ? LUDUS_OK : abi_no_memory();
}

int32_t ludus_diplomacy_batch_board(const ludus_diplomacy_batch *b, int32_t k, ludus_diplomacy **board) {
    if (k < 0 || k >= b->n)
        return abi_fail(LUDUS_BAD_INDEX, "there is no game %d: there are %d", (int)k, (int)b->n);
    ludus_diplomacy *made = malloc(sizeof *made);
    if (!made)
        return abi_no_memory();
    made->core = b->core.games[k].board;
    *board = made;
    return LUDUS_OK;
}
