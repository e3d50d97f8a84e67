/* Elementary functions that give the same bits on every machine, good to about 1e-15. */
#ifndef LUDUS_WORM_NUMBERS_H
#define LUDUS_WORM_NUMBERS_H

#include <stdint.h>

#define WM_PI 3.14159265358979323846

static inline double wm_sqrt(double x) { return __builtin_sqrt(x); }
static inline double wm_abs(double x) { return x < 0 ? -x : x; }
static inline double wm_clamp(double x, double low, double high) {
    return x > low ? (x < high ? x : high) : low; /* NaN becomes low */
}
static inline int wm_floor(double x) {
    int n = (int)x;
    return n - (x < n);
}
static inline double wm_round(double x) { return wm_floor(x + 0.5); }

static inline double wm_power_of_two(int k) {
    union {
        uint64_t bits;
        double value;
    } power = {(uint64_t)(k + 1023) << 52};
    return power.value;
}

static inline double wm_exp(double x) {
    if (x < -700)
        return 0;
    if (x > 700)
        x = 700;
    int k = (int)(x * 1.4426950408889634074 + (x < 0 ? -0.5 : 0.5));
    double r = (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
    double r2 = r * r, r4 = r2 * r2;
    double p0 = (1 + r) + r2 * (1.0 / 2 + r * (1.0 / 6));
    double p1 = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5040));
    double p2 = (1.0 / 40320 + r * (1.0 / 362880)) + r2 * (1.0 / 3628800 + r * (1.0 / 39916800));
    double p3 = 1.0 / 479001600 + r * (1.0 / 6227020800.0);
    return (p0 + r4 * (p1 + r4 * (p2 + r4 * p3))) * wm_power_of_two(k);
}

static inline double wm_tanh(double x) {
    double a = wm_abs(x);
    double t = a > 20 ? 1 : 1 - 2 / (wm_exp(2 * a) + 1);
    return x < 0 ? -t : t;
}

static inline double wm_atan2(double y, double x) {
    double ax = wm_abs(x), ay = wm_abs(y);
    double most = ax > ay ? ax : ay, least = ax > ay ? ay : ax;
    if (most == 0)
        return 0;
    double base = 0, z;
    if (least > 0.41421356237309504880 * most) {
        z = (least - most) / (least + most);
        base = WM_PI / 4;
    } else {
        z = least / most;
    }
    double u = z * z;
    double p = 0.021135373157693242597;
    p = -0.043480522157164622647 + u * p;
    p = 0.056883492268090104056 + u * p;
    p = -0.066402339304294085747 + u * p;
    p = 0.076899534963068577547 + u * p;
    p = -0.090907730748084137896 + u * p;
    p = 0.1111110618045594522 + u * p;
    p = -0.1428571418097646683 + u * p;
    p = 0.19999999998855110134 + u * p;
    p = -0.33333333333328438572 + u * p;
    p = 1.0 + u * p;
    double angle = base + z * p;
    if (ay > ax)
        angle = WM_PI / 2 - angle;
    if (x < 0)
        angle = WM_PI - angle;
    return y < 0 ? -angle : angle;
}

/* Cosine and sine of an angle of moderate size. */
static inline void wm_turn_of(double angle, double *cosine, double *sine) {
    int quarter = (int)(angle * (2 / WM_PI) + (angle < 0 ? -0.5 : 0.5));
    double r = (angle - quarter * 1.57079632673412561417) - quarter * 6.07710050650619224932e-11;
    double u = r * r, s = 0, c = 0;
    for (int n = 17; n >= 3; n -= 2)
        s = (1 - s) * u / (n * (n - 1));
    for (int n = 18; n >= 2; n -= 2)
        c = (1 - c) * u / (n * (n - 1));
    s = r * (1 - s);
    c = 1 - c;
    switch (quarter & 3) {
    case 0: *cosine = c, *sine = s; break;
    case 1: *cosine = -s, *sine = c; break;
    case 2: *cosine = -c, *sine = -s; break;
    default: *cosine = s, *sine = -c; break;
    }
}

#endif
