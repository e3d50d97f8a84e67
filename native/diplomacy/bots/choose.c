/* The bots by their numbers. */
#include "diplomacy/bots/bots.h"

static int follow_worth(const dp_board *board, int temper, int power, uint64_t *random, dp_order *orders) {
    dp_worth worth;
    dp_find_worth(board, &dp_tempers[temper], DP_SPREADS, &worth);
    return dp_plan_orders(board, &worth, power, &dp_tempers[temper], random, orders);
}

int dp_choose_orders(const dp_board *board, enum dp_bot bot, int power, int winters, uint64_t *random,
                     dp_order *orders) {
    switch (bot) {
    case DP_DUMB_AGGRESSIVE: return follow_worth(board, DP_AGGRESSIVE, power, random, orders);
    case DP_SEARCH: return dp_search_orders(board, power, winters, random, orders);
    case DP_REGRET: return dp_match_regrets(board, power, winters, random, orders);
    default: return follow_worth(board, DP_BALANCED, power, random, orders);
    }
}
