/* The player `regret`: regret matching over plans of all powers, one phase deep, tells what the others may do; the
 * best answer to that is then sought among many plans, and among variations of the best so far.
 *
 * After J. Gray et al., "Human-Level Performance in No-Press Diplomacy via Equilibrium Search" (2021), with plans
 * drawn by rules where that work has a network.
 */
#include "diplomacy/bots/bots.h"

#include "common/random.h"

#include <string.h>

enum { OWN = 8, OTHERS = 4, ROUNDS = 16, PLANS = 32, VARIATIONS = 32, TURNS = 3 };

/* The plans of one power, the regret of not having played each, and how much each was played. */
typedef struct {
    int n;
    dp_plan plans[OWN];
    double regret[OWN], share[OWN], played[OWN];
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
static void play_round(const dp_board *board, mixture *mixtures, int winters, int round, uint64_t *random) {
    const dp_plan *drawn[DP_POWERS];
    int32_t values[DP_POWERS][OWN], outcome[DP_POWERS];
    uint64_t chance = random_next(random);
    for (int power = 0; power < DP_POWERS; power++)
        drawn[power] = &mixtures[power].plans[draw(&mixtures[power], random)];
    for (int power = 0; power < DP_POWERS; power++) {
        const dp_plan *kept = drawn[power];
        for (int k = 0; mixtures[power].n > 1 && k < mixtures[power].n; k++) {
            uint64_t same = chance;
            drawn[power] = &mixtures[power].plans[k];
            dp_roll_out(board, drawn, winters, &same, outcome);
            values[power][k] = outcome[power];
        }
        drawn[power] = kept;
    }
    for (int power = 0; power < DP_POWERS; power++)
        if (mixtures[power].n > 1)
            learn(&mixtures[power], values[power], round);
}

/* Draws a plan as often as it was played in all rounds. */
static const dp_plan *guess_plan(const void *known, int power, uint64_t *random, dp_plan *room) {
    const mixture *m = (const mixture *)known + power;
    double total = 0;
    int k = 0;
    (void)room;
    for (int each = 0; each < m->n; each++)
        total += m->played[each];
    for (double left = total * random_share(random); k < m->n - 1 && left >= m->played[k]; k++)
        left -= m->played[k];
    return &m->plans[k];
}

static void match_regrets(const dp_outlook *outlook, int power, int winters, uint64_t *random, mixture *mixtures) {
    memset(mixtures, 0, DP_POWERS * sizeof *mixtures);
    for (int each = 0; each < DP_POWERS; each++) {
        mixture *m = &mixtures[each];
        m->n = dp_draw_plans(outlook, each, each == power ? OWN : OTHERS, random, m->plans);
        update_shares(m);
    }
    for (int round = 1; round <= ROUNDS; round++)
        play_round(outlook->board, mixtures, winters, round, random);
}

/* Puts variations of the best plan beside it, and returns the best of them all. */
static const dp_plan *improve(dp_trial *trial, const dp_plan *best, const mixture *mixtures, uint64_t *random) {
    dp_order legal[DP_USUAL_ORDERS];
    dp_groups groups;
    dp_list_orders(trial->board, legal, DP_USUAL_ORDERS, &groups);
    for (int turn = 0; turn < TURNS; turn++) {
        dp_plan start = *best;
        trial->n = VARIATIONS;
        for (int k = 0; k < VARIATIONS; k++) {
            trial->plans[k] = start;
            if (k)
                dp_vary_plan(legal, &groups, random, &trial->plans[k]);
        }
        best = dp_find_best(trial, guess_plan, mixtures, random);
    }
    return best;
}

int dp_match_regrets(const dp_board *board, int power, int winters, uint64_t *random, dp_order *orders) {
    dp_outlook outlook;
    mixture mixtures[DP_POWERS];
    dp_trial trial;
    bool moving = board->kind == DP_MOVEMENT;
    trial.board = board;
    trial.power = power;
    trial.winters = winters;
    dp_look(board, &outlook);
    trial.n = dp_draw_plans(&outlook, power, moving ? PLANS : 1, random, trial.plans);
    const dp_plan *best = &trial.plans[0];
    if (moving && best->n) {
        match_regrets(&outlook, power, winters, random, mixtures);
        best = dp_find_best(&trial, guess_plan, mixtures, random);
        best = improve(&trial, best, mixtures, random);
    }
    memcpy(orders, best->orders, (size_t)best->n * sizeof *orders);
    return best->n;
}
