/* Elementary functions that give the same bits on every machine, good to about 1e-15. */
#ifndef LUDUS_WORM_NUMBERS_H
#define LUDUS_WORM_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#define WM_PI 3.14159265358979323846

static inline double wm_sqrt(double x) { return __builtin_sqrt(x); }
static inline double wm_abs(double x) { return __builtin_fabs(x); }
/* The amount or nothing, without a branch: for what is hard to foresee. */
static inline double wm_if(bool holds, double amount) {
    union {
        double number;
        uint64_t bits;
    } it = {amount};
    it.bits &= -(uint64_t)holds;
    return it.number;
}
static inline double wm_clamp(double x, double low, double high) {
    return x > low ? (x < high ? x : high) : low; /* NaN becomes low */
}
static inline int wm_floor(double x) {
    int n = (int)x;
    return n - (x < n);
}
static inline double wm_round(double x) { return wm_floor(x + 0.5); }

/* ---- two numbers at once -------------------------------------------------------------------- */

/* Each half of a pair is computed as a number of its own would be, to the last bit, and without a branch: which
 * way an angle points is hard to foresee. */
typedef double wm_pair __attribute__((vector_size(16)));
typedef int64_t wm_mask __attribute__((vector_size(16)));
typedef int32_t wm_counts __attribute__((vector_size(8)));

static inline wm_pair wm_both(double x) { return (wm_pair){x, x}; }
static inline wm_pair wm_choose(wm_mask first, wm_pair a, wm_pair b) {
    return (wm_pair)((first & (wm_mask)a) | (~first & (wm_mask)b));
}
static inline wm_pair wm_abs_pair(wm_pair x) { return (wm_pair)((wm_mask)x & INT64_MAX); }
static inline wm_pair wm_sqrt_pair(wm_pair x) { return (wm_pair){wm_sqrt(x[0]), wm_sqrt(x[1])}; }

static inline wm_pair wm_power_of_two(wm_counts k) {
    return (wm_pair)((__builtin_convertvector(k, wm_mask) + 1023) << 52);
}

/* The exponential of what is between -700 and 700; half is 0.5 with its sign. */
static inline wm_pair wm_moderate_exp(wm_pair x, wm_pair half) {
    wm_counts k = __builtin_convertvector(x * 1.4426950408889634074 + half, wm_counts);
    wm_pair n = __builtin_convertvector(k, wm_pair);
    wm_pair r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
    wm_pair r2 = r * r, r4 = r2 * r2;
    wm_pair p0 = (1 + r) + r2 * (1.0 / 2 + r * (1.0 / 6));
    wm_pair p1 = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5040));
    wm_pair p2 = (1.0 / 40320 + r * (1.0 / 362880)) + r2 * (1.0 / 3628800 + r * (1.0 / 39916800));
    wm_pair p3 = 1.0 / 479001600 + r * (1.0 / 6227020800.0);
    return (p0 + r4 * (p1 + r4 * (p2 + r4 * p3))) * wm_power_of_two(k);
}

static inline wm_pair wm_exp_pair(wm_pair x) {
    wm_mask vanishes = x < -700;
    x = wm_choose(vanishes, wm_both(0), wm_choose(x > 700, wm_both(700), x));
    wm_pair half = wm_choose(x < 0, wm_both(-0.5), wm_both(0.5));
    return wm_choose(vanishes, wm_both(0), wm_moderate_exp(x, half));
}

/* Of what is not negative. */
static inline wm_pair wm_tanh_size(wm_pair a) {
    wm_mask full = a > 20;
    wm_pair power = wm_moderate_exp(wm_choose(full, wm_both(0), 2 * a), wm_both(0.5));
    return wm_choose(full, wm_both(1), 1 - 2 / (power + 1));
}

static inline wm_pair wm_tanh_pair(wm_pair x) {
    wm_pair t = wm_tanh_size(wm_abs_pair(x));
    return wm_choose(x < 0, -t, t);
}

/* No number at the origin. */
static inline wm_pair wm_angle_pair(wm_pair y, wm_pair x) {
    wm_pair ax = wm_abs_pair(x), ay = wm_abs_pair(y);
    wm_mask upright = ay > ax, swap = ((wm_mask)ax ^ (wm_mask)ay) & upright;
    wm_pair most = (wm_pair)((wm_mask)ax ^ swap), least = (wm_pair)((wm_mask)ay ^ swap);
    wm_mask steep = least > 0.41421356237309504880 * most;
    /* without a choice: what is added and taken away is nothing where it is not steep */
    wm_pair z = (least - (wm_pair)(steep & (wm_mask)most)) / (most + (wm_pair)(steep & (wm_mask)least));
    wm_pair u = z * z;
    wm_pair p = wm_both(0.021135373157693242597);
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
    wm_pair angle = (wm_pair)(steep & (wm_mask)wm_both(WM_PI / 4)) + z * p;
    angle = wm_choose(upright, WM_PI / 2 - angle, angle);
    angle = wm_choose(x < 0, WM_PI - angle, angle);
    return (wm_pair)((wm_mask)angle ^ ((y < 0) & INT64_MIN));
}

static inline wm_pair wm_atan2_pair(wm_pair y, wm_pair x) {
    wm_mask somewhere = (x != 0) | (y != 0);
    return wm_choose(somewhere, wm_angle_pair(y, x), wm_both(0));
}

/* ---- one number ----------------------------------------------------------------------------- */

static inline double wm_exp(double x) { return wm_exp_pair((wm_pair){x, 0})[0]; }
static inline double wm_tanh(double x) { return wm_tanh_pair((wm_pair){x, 0})[0]; }
static inline double wm_atan2(double y, double x) { return wm_atan2_pair((wm_pair){y, 0}, (wm_pair){x, 1})[0]; }

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
