/* The player `search`: plays the best of several plans, tried against guesses of what the others do. */
#include "diplomacy/bots/bots.h"

#include "common/random.h"

#include <string.h>

enum { PLANS = 16 };

static const dp_plan *guess_plan(const void *known, int power, uint64_t *random, dp_plan *room) {
    dp_draw_plan(known, power, random_below(random, DP_TEMPERS), random, room);
    return room;
}

int dp_search_orders(const dp_board *board, int power, int winters, uint64_t *random, dp_order *orders) {
    dp_outlook outlook;
    dp_trial trial;
    trial.board = board;
    trial.power = power;
    trial.winters = winters;
    dp_look(board, &outlook);
    trial.n = dp_draw_plans(&outlook, power, board->kind == DP_MOVEMENT ? PLANS : 1, random, trial.plans);
    const dp_plan *best = dp_find_best(&trial, guess_plan, &outlook, random);
    memcpy(orders, best->orders, (size_t)best->n * sizeof *orders);
    return best->n;
}
