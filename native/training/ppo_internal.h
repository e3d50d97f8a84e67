/* What playing and learning share. */
#ifndef LUDUS_TRAINING_PPO_INTERNAL_H
#define LUDUS_TRAINING_PPO_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "training/ppo.h"

enum {
    PPO_BLOCK = 16, /* games */
    PPO_KINDS = 64, /* of squares at a time */
    PPO_FIELD_SAMPLES = 32, /* at a time: what is computed of them stays in the caches */
    PPO_PICTURE_SAMPLES = 16
};

static inline bool resize(void **memory, size_t size) {
    void *moved = realloc(*memory, size);
    if (moved)
        *memory = moved;
    return moved;
}

/* The fields of a decision of the last rollout. */
static inline kernel_sparse seen_fields(const ppo *p, const practice *world, int first_game, int slot,
                                        int game) {
    const ppo_block *block = &p->blocks[game / PPO_BLOCK];
    const size_t *start = block->starts + slot * PPO_BLOCK + game % PPO_BLOCK;
    size_t at = (size_t)slot * (size_t)world->n + (size_t)(first_game + game);
    return (kernel_sparse){world->fields + at * (size_t)p->net.fields, block->places + start[0],
                           (int)(start[1] - start[0])};
}

#endif
