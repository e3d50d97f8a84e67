/* Many worlds of one task, stepped by one call, writing into buffers that were bound once. */
#ifndef LUDUS_WORM_BATCH_H
#define LUDUS_WORM_BATCH_H

#include "worm/worm.h"

enum wm_autoreset { WM_RESET_NEVER, WM_RESET_SAME_STEP, WM_RESET_NEXT_STEP };

typedef struct {
    const wm_task *task;
    char *worlds; /* task->world_size bytes each */
    enum wm_autoreset autoreset;
    bool steered;           /* take steering instead of actions */
    const int32_t *actions; /* one each */
    const float *steering;  /* speed and turn each, or NULL */
    float *features, *final_features;
    float *rewards;
    uint8_t *ended;
    uint64_t *seeds;
    double *last;      /* WM_FIGURES each: of the last episode that has ended */
    int64_t *finished; /* episodes that have ended */
} wm_batch;

static inline wm_world *wm_batch_world(const wm_batch *b, int k) {
    return (wm_world *)(void *)(b->worlds + (size_t)k * (size_t)b->task->world_size);
}

/* Begins an episode of world k with this seed. */
void wm_batch_begin(wm_batch *batch, int k, uint64_t seed);
/* Writes what is known of world k as it stands; no step has led to it, so none has paid. */
void wm_batch_show(wm_batch *batch, int k);
/* The seed after this one: sessions count them up modulo 2^32. */
static inline uint64_t wm_next_seed(uint64_t seed) { return (seed + 1) & 0xffffffffu; }

/* Steps worlds first .. last - 1. */
void wm_batch_step(wm_batch *batch, int first, int last);

#endif
