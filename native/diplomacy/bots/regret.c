/* The player `regret`: regret matching over plans of all powers, one phase deep.
 *
 * After J. Gray et al., "Human-Level Performance in No-Press Diplomacy via Equilibrium Search" (2021), with plans
 * drawn by rules where that work has a network.
 */
#include "diplomacy/bots/bots.h"

#include "common/random.h"

#include <string.h>

enum { MOST = 16, OTHERS = 5, ROUNDS = 24, WINTERS = 1 };

/* The plans of one power, the regret of not having played each, and how much each was played. */
typedef struct {
    int n;
    dp_plan plans[MOST];
    double regret[MOST], share[MOST], played[MOST];
} mixture;

/* Sets the shares by the regrets, or all equal if there is none. */
static void update_shares(mixture *m) {
    double total = 0;
    for (int k = 0; k < m->n; k++)
        total += m->regret[k] > 0 ? m->regret[k] : 0;
    for (int k = 0; k < m->n; k++)
        m->share[k] = total > 0 ? (m->regret[k] > 0 ? m->regret[k] / total : 0) : 1.0 / m->n;
}

static int draw(const mixture *m, uint64_t *random) {
    double left = random_share(random);
    int k = 0;
    for (; k < m->n - 1 && left >= m->share[k]; k++)
        left -= m->share[k];
    return k;
}

/* Adds what each plan would have been worth to its regret. Later rounds weigh more. */
static void learn(mixture *m, const int32_t *values, int round) {
    double mean = 0;
    for (int k = 0; k < m->n; k++)
        mean += m->share[k] * values[k];
    for (int k = 0; k < m->n; k++) {
        m->regret[k] += values[k] - mean;
        m->played[k] += round * m->share[k];
    }
    update_shares(m);
}

/* One round: everybody draws a plan; each power then sees what its other plans would have brought. */
static void play_round(const dp_board *board, mixture *mixtures, int round, uint64_t *random) {
    const dp_plan *drawn[DP_POWERS];
    int32_t values[DP_POWERS][MOST], outcome[DP_POWERS];
    uint64_t chance = random_next(random);
    for (int power = 0; power < DP_POWERS; power++)
        drawn[power] = &mixtures[power].plans[draw(&mixtures[power], random)];
    for (int power = 0; power < DP_POWERS; power++) {
        const dp_plan *kept = drawn[power];
        for (int k = 0; mixtures[power].n > 1 && k < mixtures[power].n; k++) {
            uint64_t same = chance;
            drawn[power] = &mixtures[power].plans[k];
            dp_roll_out(board, drawn, WINTERS, &same, outcome);
            values[power][k] = outcome[power];
        }
        drawn[power] = kept;
    }
    for (int power = 0; power < DP_POWERS; power++)
        if (mixtures[power].n > 1)
            learn(&mixtures[power], values[power], round);
}

int dp_match_regrets(const dp_board *board, int power, uint64_t *random, dp_order *orders) {
    dp_outlook outlook;
    mixture mixtures[DP_POWERS];
    bool moving = board->kind == DP_MOVEMENT;
    memset(mixtures, 0, sizeof mixtures);
    dp_look(board, &outlook);
    for (int other = 0; other < DP_POWERS; other++) {
        mixture *m = &mixtures[other];
        m->n = dp_draw_plans(&outlook, other, !moving ? 1 : other == power ? MOST : OTHERS, random, m->plans);
        update_shares(m);
    }
    mixture *own = &mixtures[power];
    for (int round = 1; own->n > 1 && round <= ROUNDS; round++)
        play_round(board, mixtures, round, random);
    int best = 0;
    for (int k = 1; k < own->n; k++)
        if (own->played[k] > own->played[best])
            best = k;
    memcpy(orders, own->plans[best].orders, (size_t)own->plans[best].n * sizeof *orders);
    return own->plans[best].n;
}
