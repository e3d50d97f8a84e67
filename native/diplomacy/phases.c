/* The order of the phases, victory and the end. */
#include "diplomacy/board.h"

static bool has_won(const dp_board *board, const uint8_t *before, int power) {
    int n = board->n_centres[power];
    if (n < DP_TO_WIN || (board->options & DP_GROWTH_TO_WIN && n <= before[power]))
        return false;
    for (int other = 0; other < DP_POWERS; other++)
        if (other != power && board->n_centres[other] >= n)
            return false;
    return true;
}

static void end_game(dp_board *board, int victors) {
    board->kind = DP_OVER;
    board->season = DP_WINTER;
    board->victors = (uint8_t)victors;
    board->n_dislodged = board->n_destroyed = 0;
}

static int find_survivors(const dp_board *board) {
    int powers = 0;
    for (int k = 0; k < board->n_units; k++)
        powers |= 1 << board->units[k].owner;
    return powers;
}

static bool has_adjustments(const dp_board *board) {
    uint8_t homes[4];
    for (int power = 0; power < DP_POWERS; power++) {
        int more = dp_adjustment(board, power);
        if (more < 0 || (more > 0 && dp_open_homes(board, power, homes)))
            return true;
    }
    return false;
}

static void begin_year(dp_board *board) {
    board->year++;
    board->season = DP_SPRING;
    board->kind = DP_MOVEMENT;
    board->n_destroyed = 0;
}

static void begin_winter(dp_board *board) {
    uint8_t before[DP_POWERS];
    for (int power = 0; power < DP_POWERS; power++)
        before[power] = board->n_centres[power];
    dp_capture_centres(board);
    for (int power = 0; power < DP_POWERS; power++)
        if (has_won(board, before, power)) {
            end_game(board, 1 << power);
            return;
        }
    if (board->year == DP_LAST_YEAR) {
        end_game(board, find_survivors(board));
        return;
    }
    board->season = DP_WINTER;
    board->kind = DP_ADJUSTMENTS;
    if (!has_adjustments(board))
        begin_year(board);
}

/* After movement and retreats. */
static void go_on(dp_board *board) {
    if (board->season == DP_FALL) {
        begin_winter(board);
        return;
    }
    board->season = DP_FALL;
    board->kind = DP_MOVEMENT;
    board->n_destroyed = 0;
}

void dp_step(dp_board *board, const dp_order *orders, int n, dp_results *results) {
    if (results)
        results->n = 0;
    if (board->kind == DP_MOVEMENT) {
        dp_move_units(board, orders, n, results);
        if (board->n_dislodged)
            board->kind = DP_RETREATS;
        else
            go_on(board);
    } else if (board->kind == DP_RETREATS) {
        dp_retreat_units(board, orders, n, results);
        go_on(board);
    } else if (board->kind == DP_ADJUSTMENTS) {
        dp_adjust_units(board, orders, n, results);
        begin_year(board);
    }
}
