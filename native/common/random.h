/* Random numbers for every engine: SplitMix64. The whole state is one word. */
#ifndef LUDUS_COMMON_RANDOM_H
#define LUDUS_COMMON_RANDOM_H

#include <stdint.h>

static inline uint64_t random_next(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A whole number from 0 to n - 1. */
static inline int random_below(uint64_t *state, int n) {
    return (int)(((random_next(state) >> 32) * (uint64_t)n) >> 32);
}

/* A number from 0 to 1, without 1. */
static inline double random_share(uint64_t *state) {
    return (double)(random_next(state) >> 11) * 0x1p-53;
}

#endif
