/* The kernels, once for every kind of processor. */
#include "training/kernels.h"

#define NAMED(name) plain_##name
#define VECTOR 4
#define TARGET
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#include "training/kernels.inc"
#undef NAMED
#undef VECTOR
#undef TARGET
#undef MULTIPLY_ADD

const kernels plain_kernels = {plain_multiply, plain_look_up, plain_spread};

#if defined(__x86_64__)
#include <immintrin.h>

#define NAMED(name) wide_##name
#define VECTOR 8
#define TARGET __attribute__((target("avx2,fma")))
#define MULTIPLY_ADD(a, b, c) ((wide_vector)_mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c)))
#include "training/kernels.inc"

static const kernels wide_kernels = {wide_multiply, wide_look_up, wide_spread};

const kernels *choose_kernels(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &wide_kernels
                                                                           : &plain_kernels;
}
#else
const kernels *choose_kernels(void) { return &plain_kernels; }
#endif
