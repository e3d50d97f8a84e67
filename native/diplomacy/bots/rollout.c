/* Games played on by plans, and what positions are worth. */
#include "diplomacy/bots/bots.h"

#include <string.h>

enum { CENTRE = 100, UNIT = 25, OTHERS = 2, WON = 3400 };

void dp_look(const dp_board *board, dp_outlook *outlook) {
    outlook->board = board;
    for (int temper = 0; temper < DP_TEMPERS; temper++)
        dp_find_worth(board, &dp_tempers[temper], DP_SPREADS, &outlook->worth[temper]);
}

void dp_draw_plan(const dp_outlook *outlook, int power, int temper, uint64_t *random, dp_plan *plan) {
    plan->n = dp_plan_orders(outlook->board, &outlook->worth[temper], power, &dp_tempers[temper], random,
                             plan->orders);
}

static bool is_equal(const dp_plan *one, const dp_plan *other) {
    return one->n == other->n && !memcmp(one->orders, other->orders, (size_t)one->n * sizeof *one->orders);
}

int dp_draw_plans(const dp_outlook *outlook, int power, int n, uint64_t *random, dp_plan *plans) {
    int found = 0;
    for (int draw = 0; draw < 2 * n && found < n; draw++) {
        int k = 0;
        dp_draw_plan(outlook, power, draw % DP_TEMPERS, random, &plans[found]);
        while (k < found && !is_equal(&plans[k], &plans[found]))
            k++;
        found += k == found;
    }
    return found;
}

/* ---- rollouts ----------------------------------------------------------------------------------- */

/* Room for the orders of all powers: one for each unit, and builds. */
enum { MOST_ORDERS = DP_PROVINCES + DP_CENTRES };

static void play_phase(dp_board *board, uint64_t *random) {
    dp_worth worth;
    dp_order orders[MOST_ORDERS];
    const dp_temper *temper = &dp_tempers[DP_AGGRESSIVE];
    int n = 0;
    dp_find_worth(board, temper, DP_FEW_SPREADS, &worth);
    for (int power = 0; power < DP_POWERS; power++)
        n += dp_plan_orders(board, &worth, power, temper, random, orders + n);
    dp_step(board, orders, n, NULL);
}

static void rate(const dp_board *board, int32_t values[DP_POWERS]) {
    int squares = 0;
    for (int power = 0; power < DP_POWERS; power++) {
        int n = board->n_centres[power];
        squares += n * n;
        values[power] = CENTRE * n;
    }
    for (int k = 0; k < board->n_units; k++)
        values[board->units[k].owner] += UNIT;
    for (int power = 0; power < DP_POWERS; power++) {
        int n = board->n_centres[power];
        values[power] -= OTHERS * (squares - n * n);
        if (board->kind == DP_OVER)
            values[power] = board->victors >> power & 1 ? WON : -WON;
    }
}

/* How many winters have come, at the moment when centres have just changed hands. */
static int count_winters(const dp_board *board, int first_year) {
    return board->year - first_year + (board->season == DP_WINTER);
}

void dp_roll_out(const dp_board *board, const dp_plan *const plans[DP_POWERS], int winters, uint64_t *random,
                 int32_t values[DP_POWERS]) {
    dp_board played = *board;
    dp_order orders[MOST_ORDERS];
    int n = 0;
    for (int power = 0; power < DP_POWERS; power++) {
        memcpy(orders + n, plans[power]->orders, (size_t)plans[power]->n * sizeof *orders);
        n += plans[power]->n;
    }
    dp_step(&played, orders, n, NULL);
    while (played.kind != DP_OVER && count_winters(&played, board->year) < winters)
        play_phase(&played, random);
    rate(&played, values);
}
