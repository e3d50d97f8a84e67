/* Plans that are tried against guesses of what the others do. */
#include "diplomacy/bots/bots.h"

#include "common/random.h"

/* Tries every plan that is left against one guess, all with the same chance. */
static void try_guess(dp_trial *t, int n, dp_guesser *guess, const void *known, uint64_t *random) {
    dp_plan room[DP_POWERS];
    const dp_plan *plans[DP_POWERS];
    int32_t values[DP_POWERS];
    for (int other = 0; other < DP_POWERS; other++)
        if (other != t->power)
            plans[other] = guess(known, other, random, &room[other]);
    uint64_t chance = random_next(random);
    for (int k = 0; k < n; k++) {
        uint64_t same = chance;
        plans[t->power] = &t->plans[t->left[k]];
        dp_roll_out(t->board, plans, t->winters, &same, values);
        t->total[t->left[k]] += values[t->power];
    }
}

static void sort_left(dp_trial *t, int n) {
    for (int k = 1; k < n; k++) {
        uint8_t plan = t->left[k];
        int at = k;
        for (; at && t->total[t->left[at - 1]] < t->total[plan]; at--)
            t->left[at] = t->left[at - 1];
        t->left[at] = plan;
    }
}

const dp_plan *dp_find_best(dp_trial *t, dp_guesser *guess, const void *known, uint64_t *random) {
    for (int k = 0; k < t->n; k++) {
        t->left[k] = (uint8_t)k;
        t->total[k] = 0;
    }
    for (int n = t->n, guesses = 1; n > 1; n = (n + 1) / 2, guesses *= 2) {
        for (int k = 0; k < guesses; k++)
            try_guess(t, n, guess, known, random);
        sort_left(t, n);
    }
    return &t->plans[t->left[0]];
}
