/* Many games at once: each step adjudicates a phase of every one. */
#include "diplomacy/batch.h"

#include <string.h>

enum { FIRST_YEAR = 1901 };

static void show_orders(dp_batch *b, int k) {
    dp_game *g = &b->games[k];
    int32_t *counts = b->counts + k * DP_PROVINCES;
    uint8_t *owners = b->owners + k * DP_PROVINCES;
    dp_list_orders(&g->board, g->orders, DP_USUAL_ORDERS, &g->groups);
    memset(counts, 0, DP_PROVINCES * sizeof *counts);
    memset(owners, DP_POWERS, DP_PROVINCES);
    for (int group = 0, at = 0; group < g->groups.n_groups; at = g->groups.end[group++]) {
        int end = g->groups.end[group] < DP_USUAL_ORDERS ? g->groups.end[group] : DP_USUAL_ORDERS;
        counts[g->groups.province[group]] = end > at ? end - at : 0;
        owners[g->groups.province[group]] = g->groups.owner[group];
    }
}

static uint8_t piece_number(int owner, dp_unit unit) {
    return (uint8_t)(1 + owner + (dp_is_fleet(unit) ? DP_POWERS : 0));
}

static void show_board(dp_batch *b, int k) {
    const dp_board *board = &b->games[k].board;
    uint8_t(*planes)[DP_PLANES] = (uint8_t(*)[DP_PLANES])(b->planes + k * DP_LOCATIONS * DP_PLANES);
    memset(planes, 0, DP_LOCATIONS * DP_PLANES);
    for (int u = 0; u < board->n_units; u++)
        planes[dp_location(board->units[u].unit)][0] = piece_number(board->units[u].owner, board->units[u].unit);
    for (int u = 0; u < board->n_dislodged; u++)
        planes[dp_location(board->dislodged[u].unit)][1] =
            piece_number(board->dislodged[u].owner, board->dislodged[u].unit);
    for (int c = 0; c < DP_CENTRES; c++)
        planes[dp_location_of[dp_centre_order[c]]][2] = 1;
    for (int power = 0, at = 0; power < DP_POWERS; power++)
        for (int n = 0; n < board->n_centres[power]; n++)
            planes[dp_location_of[board->centres[at++]]][2] = (uint8_t)(2 + power);
    b->times[k * DP_TIMES] = board->year;
    b->times[k * DP_TIMES + 1] = board->season;
    b->times[k * DP_TIMES + 2] = board->kind;
}

void dp_batch_begin(dp_batch *b, int k) {
    dp_begin(&b->games[k].board, FIRST_YEAR, 0);
    show_orders(b, k);
    show_board(b, k);
}

/* The orders that the numbers stand for. */
static int read_actions(const dp_batch *b, int k, dp_order *orders) {
    const dp_game *g = &b->games[k];
    const int32_t *actions = b->actions + k * DP_PROVINCES, *counts = b->counts + k * DP_PROVINCES;
    int n = 0;
    for (int group = 0, at = 0; group < g->groups.n_groups; at = g->groups.end[group++]) {
        int province = g->groups.province[group];
        if (actions[province] > 0 && actions[province] <= counts[province])
            orders[n++] = g->orders[at + actions[province] - 1];
    }
    return n;
}

static void reward(dp_batch *b, int k, const uint8_t *before) {
    const dp_board *board = &b->games[k].board;
    bool won = board->kind == DP_OVER && !(board->victors & (board->victors - 1));
    for (int power = 0; power < DP_POWERS; power++)
        b->rewards[k * DP_POWERS + power] = (float)(board->n_centres[power] - before[power]
                                                    + (won && board->victors >> power & 1 ? DP_TO_WIN : 0));
}

static void step_one(dp_batch *b, int k) {
    dp_board *board = &b->games[k].board;
    dp_order orders[DP_PROVINCES];
    uint8_t before[DP_POWERS];
    memcpy(before, board->n_centres, sizeof before);
    dp_step(board, orders, read_actions(b, k, orders), NULL);
    reward(b, k, before);
    b->ended[k] = board->kind == DP_OVER ? DP_TERMINATED : board->year > b->last_year ? DP_TRUNCATED : DP_RUNNING;
    if (b->ended[k])
        dp_begin(board, FIRST_YEAR, 0);
    show_orders(b, k);
    show_board(b, k);
}

void dp_batch_step(dp_batch *b, int first, int last) {
    for (int k = first; k < last; k++)
        step_one(b, k);
}
