/* The player `search`: plays the best of several plans, tried against guesses of what the others do.
 *
 * Every plan is tried once, the better half twice more, half of those four times more, until one is left.
 */
#include "diplomacy/bots/bots.h"

#include "common/random.h"

#include <string.h>

enum { PLANS = 16, WINTERS = 1 };

typedef struct {
    dp_plan plans[PLANS];
    int64_t total[PLANS];
    uint8_t left[PLANS]; /* the plans that are still tried, best first */
} trial;

/* Tries every plan that is left against one guess, all with the same chance. */
static void try_guess(trial *t, const dp_outlook *outlook, int power, int n, uint64_t *random) {
    dp_plan guess[DP_POWERS];
    const dp_plan *plans[DP_POWERS];
    int32_t values[DP_POWERS];
    for (int other = 0; other < DP_POWERS; other++) {
        plans[other] = &guess[other];
        if (other != power)
            dp_draw_plan(outlook, other, random_below(random, DP_TEMPERS), random, &guess[other]);
    }
    uint64_t chance = random_next(random);
    for (int k = 0; k < n; k++) {
        uint64_t same = chance;
        plans[power] = &t->plans[t->left[k]];
        dp_roll_out(outlook->board, plans, WINTERS, &same, values);
        t->total[t->left[k]] += values[power];
    }
}

static void sort_left(trial *t, int n) {
    for (int k = 1; k < n; k++) {
        uint8_t plan = t->left[k];
        int at = k;
        for (; at && t->total[t->left[at - 1]] < t->total[plan]; at--)
            t->left[at] = t->left[at - 1];
        t->left[at] = plan;
    }
}

int dp_search_orders(const dp_board *board, int power, uint64_t *random, dp_order *orders) {
    dp_outlook outlook;
    trial t;
    dp_look(board, &outlook);
    int n = dp_draw_plans(&outlook, power, board->kind == DP_MOVEMENT ? PLANS : 1, random, t.plans);
    for (int k = 0; k < n; k++) {
        t.left[k] = (uint8_t)k;
        t.total[k] = 0;
    }
    for (int guesses = 1; n > 1; guesses *= 2) {
        for (int guess = 0; guess < guesses; guess++)
            try_guess(&t, &outlook, power, n, random);
        sort_left(&t, n);
        n = (n + 1) / 2;
    }
    const dp_plan *best = &t.plans[t.left[0]];
    memcpy(orders, best->orders, (size_t)best->n * sizeof *orders);
    return best->n;
}
