/* The published algorithm of java.util.Random: the reference generators drew from it. */
#ifndef LUDUS_JAVA_RANDOM_H
#define LUDUS_JAVA_RANDOM_H

#include "common/logarithm.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t state; /* 48 bits */
    double spare;   /* the second value of the last Gaussian pair */
    bool has_spare;
} java_random;

static const uint64_t JAVA_MULTIPLIER = 0x5DEECE66D, JAVA_MASK = ((uint64_t)1 << 48) - 1;

static inline java_random java_seeded(int64_t seed) {
    return (java_random){((uint64_t)seed ^ JAVA_MULTIPLIER) & JAVA_MASK, 0, false};
}

/* The top bits of the next state. */
static inline uint32_t java_bits(java_random *r, int bits) {
    r->state = (r->state * JAVA_MULTIPLIER + 0xB) & JAVA_MASK;
    return (uint32_t)(r->state >> (48 - bits));
}

static inline int32_t java_int(java_random *r) { return (int32_t)java_bits(r, 32); }

static inline bool java_bool(java_random *r) { return java_bits(r, 1) != 0; }

/* Uniform in 0 .. n - 1; n must be positive. */
static inline int32_t java_below(java_random *r, int32_t n) {
    if ((n & (n - 1)) == 0)
        return (int32_t)(((uint64_t)(uint32_t)n * java_bits(r, 31)) >> 31);
    for (;;) {
        int64_t drawn = java_bits(r, 31), rest = drawn % n;
        if (drawn - rest + (n - 1) <= INT32_MAX)
            return (int32_t)rest;
    }
}

/* Uniform in 0 .. 1, without 1. */
static inline double java_double(java_random *r) {
    uint64_t high = java_bits(r, 26), low = java_bits(r, 27);
    return (double)((high << 27) + low) * 0x1p-53;
}

/* Standard normal, by the polar method: values come in pairs, the second is kept. */
static inline double java_gaussian(java_random *r) {
    if (r->has_spare) {
        r->has_spare = false;
        return r->spare;
    }
    double a, b, square;
    do {
        a = 2 * java_double(r) - 1;
        b = 2 * java_double(r) - 1;
        square = a * a + b * b;
    } while (square >= 1 || square == 0);
    double factor = sqrt(-2 * portable_log(square) / square);
    r->spare = b * factor;
    r->has_spare = true;
    return a * factor;
}

#endif
