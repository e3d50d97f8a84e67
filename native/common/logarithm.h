/* The natural logarithm with the same bits on every machine, good to about 1e-15. */
#ifndef LUDUS_COMMON_LOGARITHM_H
#define LUDUS_COMMON_LOGARITHM_H

#include <stdint.h>

/* Of x > 0 that is not subnormal. */
static inline double portable_log(double x) {
    union {
        uint64_t bits;
        double value;
    } number;
    number.value = x;
    int k = (int)(number.bits >> 52) - 1023;
    number.bits = (number.bits & 0xfffffffffffffu) | 0x3ff0000000000000u;
    double m = number.value;
    if (m > 1.41421356237309504880) {
        m *= 0.5;
        k++;
    }
    double s = (m - 1) / (m + 1), u = s * s;
    double p = 1.0 / 21;
    for (int n = 19; n >= 1; n -= 2)
        p = 1.0 / n + u * p;
    return k * 6.93147180369123816490e-01 + (2 * s * p + k * 1.90821492927058770002e-10);
}

#endif
