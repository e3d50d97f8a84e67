/* The sine to the last bit but one, the same on every machine: no mathematical library is asked. */
#ifndef LUDUS_PLATFORMER_SINE_H
#define LUDUS_PLATFORMER_SINE_H

/* Taylor's series on -pi/4 .. pi/4, where what is left out is below half of the last bit. */
static inline double sine_near_zero(double x) {
    static const double inverse[] = {1.0 / 6, 1.0 / 20, 1.0 / 42, 1.0 / 72, 1.0 / 110, 1.0 / 156, 1.0 / 210, 1.0 / 272};
    double square = x * x, sum = 0;
    for (int k = 7; k >= 0; k--)
        sum = square * inverse[k] * (1 - sum);
    return x - x * sum;
}

static inline double cosine_near_zero(double x) {
    static const double inverse[] = {1.0 / 2, 1.0 / 12, 1.0 / 30, 1.0 / 56, 1.0 / 90, 1.0 / 132, 1.0 / 182, 1.0 / 240};
    double square = x * x, sum = 0;
    for (int k = 7; k >= 0; k--)
        sum = square * inverse[k] * (1 - sum);
    return 1 - sum;
}

/* For |x| up to some millions: quarter turns are taken off in three parts, of which the first two have
 * so many zero bits at their end that their multiples are exact. */
static inline double sine(double x) {
    const double turn_1 = 0x1.921fb544p+0, turn_2 = 0x1.0b4611a6p-34, turn_3 = 0x1.3198a2e037073p-69;
    double quarters = x * 0.63661977236758134308;
    int n = (int)(quarters < 0 ? quarters - 0.5 : quarters + 0.5);
    double k = (double)n, rest = ((x - k * turn_1) - k * turn_2) - k * turn_3;
    double value = n & 1 ? cosine_near_zero(rest) : sine_near_zero(rest);
    return n & 2 ? -value : value;
}

#endif
