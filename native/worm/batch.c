/* Many worlds of one task, stepped by one call. */
#include "worm/batch.h"

static float *features_of(const wm_batch *b, float *of, int k) {
    return of + (size_t)k * (size_t)b->task->n_features;
}

void wm_batch_show(wm_batch *b, int k) {
    const wm_world *w = wm_batch_world(b, k);
    b->rewards[k] = 0;
    b->ended[k] = (uint8_t)w->ended;
    wm_features(w, features_of(b, b->features, k));
}

void wm_batch_begin(wm_batch *b, int k, uint64_t seed) {
    wm_begin(wm_batch_world(b, k), b->task, seed);
    b->seeds[k] = seed;
    wm_batch_show(b, k);
}

static void finish(wm_batch *b, int k) {
    const wm_world *w = wm_batch_world(b, k);
    wm_figures(w, b->last + (size_t)k * WM_FIGURES);
    b->finished[k]++;
    if (b->autoreset != WM_RESET_SAME_STEP)
        return;
    float reward = b->rewards[k];
    uint8_t ended = b->ended[k];
    wm_batch_begin(b, k, wm_next_seed(b->seeds[k]));
    b->rewards[k] = reward;
    b->ended[k] = ended;
}

static void step(wm_batch *b, int k, wm_vectors *vectors) {
    wm_world *w = wm_batch_world(b, k);
    if (w->ended) {
        if (b->autoreset == WM_RESET_NEXT_STEP)
            wm_batch_begin(b, k, wm_next_seed(b->seeds[k]));
        else
            b->rewards[k] = 0;
        return;
    }
    /* the caller's memory may have changed since it was checked */
    double reward = b->steered ? wm_steer(w, b->steering[2 * k], b->steering[2 * k + 1])
                               : wm_step(w, (enum wm_action)(b->actions[k] & (WM_ACTIONS - 1)));
    b->rewards[k] = (float)reward;
    b->ended[k] = (uint8_t)w->ended;
    bool begins_anew = w->ended && b->autoreset == WM_RESET_SAME_STEP;
    wm_sense(w, features_of(b, begins_anew ? b->final_features : b->features, k), vectors);
    if (w->ended)
        finish(b, k);
}

#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

/* The next world, from its header to its predators. */
static void fetch_ahead(const wm_batch *b, int k, int last) {
    enum { LINE = 64, AHEAD = 2 };
    const char *world = b->worlds + (size_t)(k + AHEAD) * (size_t)b->task->world_size;
    if (k + AHEAD < last)
        for (int32_t at = 0; at < b->task->visited_at; at += LINE)
            PREFETCH(world + at);
}

void wm_batch_step(wm_batch *b, int first, int last) {
    wm_vectors vectors;
    vectors.n = 0;
    for (int k = first; k < last; k++) {
        fetch_ahead(b, k, last);
        step(b, k, &vectors);
        if (vectors.n > WM_MOST_VECTORS - WM_VECTORS_OF_WORLD)
            wm_write_vectors(&vectors);
    }
    wm_write_vectors(&vectors);
}
