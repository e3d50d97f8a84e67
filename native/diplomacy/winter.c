/* Winter: centres change hands, units are built and disbanded. */
#include "diplomacy/board.h"

#include <string.h>

int dp_adjustment(const dp_board *board, int power) {
    return board->kind == DP_ADJUSTMENTS ? board->n_centres[power] - dp_count_units(board, power) : 0;
}

static int first_of(const uint8_t *counts, int power) {
    int n = 0;
    for (int k = 0; k < power; k++)
        n += counts[k];
    return n;
}

int dp_open_homes(const dp_board *board, int power, uint8_t *provinces) {
    dp_standing standing;
    const uint8_t *owned = board->centres + first_of(board->n_centres, power);
    int n = 0;
    dp_find_units(board, &standing);
    for (int k = 0; k < dp_n_homes[power]; k++) {
        int home = dp_homes[power][k];
        if (standing.at[home] < 0 && memchr(owned, home, board->n_centres[power]))
            provinces[n++] = (uint8_t)home;
    }
    return n;
}

/* ---- centres ------------------------------------------------------------------------------------ */

static void take_centre(dp_board *board, const dp_standing *standing, int province) {
    int unit = standing->at[province];
    if (unit >= 0)
        dp_pass_on(board->centres, board->n_centres, province, board->units[unit].owner);
}

static void hand_out_homes(dp_board *board) {
    for (int power = 0; power < DP_POWERS; power++)
        for (int k = 0; k < dp_n_homes[power]; k++)
            dp_pass_on(board->centres, board->n_centres, dp_homes[power][k], power);
}

static void capture_from(dp_board *board, const dp_standing *standing, int power) {
    uint8_t owned[DP_CENTRES];
    int n = board->n_centres[power];
    memcpy(owned, board->centres + first_of(board->n_centres, power), (size_t)n);
    for (int k = 0; k < n; k++) {
        int unit = standing->at[owned[k]];
        if (unit >= 0 && board->units[unit].owner != power)
            take_centre(board, standing, owned[k]);
    }
}

void dp_capture_centres(dp_board *board) {
    dp_standing standing;
    bool owned[DP_PROVINCES] = {false};
    dp_find_units(board, &standing);
    if (!first_of(board->n_centres, DP_POWERS))
        hand_out_homes(board);
    int n = first_of(board->n_centres, DP_POWERS);
    for (int k = 0; k < n; k++)
        owned[board->centres[k]] = true;
    for (int power = 0; power < DP_POWERS; power++)
        capture_from(board, &standing, power);
    for (int k = 0; k < DP_CENTRES; k++)
        if (!owned[dp_centre_order[k]])
            take_centre(board, &standing, dp_centre_order[k]);
}

/* ---- units -------------------------------------------------------------------------------------- */

static void remove_unit(dp_board *board, int unit) {
    memmove(&board->units[unit], &board->units[unit + 1],
            (size_t)(board->n_units - unit - 1) * sizeof *board->units);
    board->n_units--;
}

static int find_unit(const dp_board *board, int power, dp_unit unit) {
    for (int k = 0; k < board->n_units; k++)
        if (board->units[k].unit == unit && board->units[k].owner == power)
            return k;
    return -1;
}

/* How far a unit is from home, under the rules of old games or from the nearest centre of its power. */
static int steps_home(const dp_board *board, dp_piece piece) {
    int best = 255, power = piece.owner, province = dp_province(piece.unit);
    bool old = board->options & DP_HOME_DISORDER;
    const uint8_t *goals = old ? dp_homes[power] : board->centres + first_of(board->n_centres, power);
    int n = old ? dp_n_homes[power] : board->n_centres[power];
    const uint8_t *steps = dp_steps[province];
    if (old && dp_is_fleet(piece.unit))
        steps = dp_fleet_steps[dp_location(piece.unit)];
    for (int k = 0; k < n; k++)
        if (steps[goals[k]] < best)
            best = steps[goals[k]];
    return best;
}

/* Whether civil disorder takes the first unit before the second. */
static bool goes_before(const dp_board *board, dp_piece one, dp_piece other) {
    int a = steps_home(board, one), b = steps_home(board, other);
    if (a != b)
        return a > b;
    if (dp_is_fleet(one.unit) != dp_is_fleet(other.unit))
        return dp_is_fleet(one.unit);
    return one.unit < other.unit;
}

static int next_in_disorder(const dp_board *board, int power) {
    int best = -1;
    for (int k = 0; k < board->n_units; k++)
        if (board->units[k].owner == power
            && (best < 0 || goes_before(board, board->units[k], board->units[best])))
            best = k;
    return best;
}

/* Whose order this is: the owner of the unit that it disbands, or of the home that it builds in. */
static int find_orderer(const dp_board *before, dp_parts order) {
    for (int k = 0; order.verb == DP_DISBAND && k < before->n_units; k++)
        if (before->units[k].unit == order.unit)
            return before->units[k].owner;
    for (int power = 0; order.verb == DP_BUILD && power < DP_POWERS; power++)
        if (memchr(dp_homes[power], dp_province(order.unit), dp_n_homes[power]))
            return power;
    return -1;
}

/* Carries out one order, if it is still to be done. */
static bool adjust(dp_board *board, int power, int *left, dp_parts order) {
    if (order.verb == DP_BUILD && *left > 0) {
        dp_standing standing;
        dp_find_units(board, &standing);
        if (standing.at[dp_province(order.unit)] >= 0)
            return false;
        dp_append_unit(board, power, order.unit);
        --*left;
        return true;
    }
    int unit = order.verb == DP_DISBAND && *left < 0 ? find_unit(board, power, order.unit) : -1;
    if (unit < 0)
        return false;
    remove_unit(board, unit);
    ++*left;
    return true;
}

void dp_adjust_units(dp_board *board, const dp_order *orders, int n, dp_results *results) {
    dp_board before = *board;
    int left[DP_POWERS];
    for (int power = 0; power < DP_POWERS; power++)
        left[power] = dp_adjustment(board, power);
    for (int k = 0; k < n; k++) {
        dp_parts order = dp_unpack_order(orders[k]);
        int power = find_orderer(&before, order);
        if (power < 0)
            continue;
        bool done = adjust(board, power, &left[power], order);
        dp_add_code(dp_add_result(results, order.unit), done ? DP_DONE : DP_VOID);
    }
    for (int power = 0; power < DP_POWERS; power++)
        for (; left[power] < 0; left[power]++) {
            int unit = next_in_disorder(board, power);
            dp_add_code(dp_add_result(results, board->units[unit].unit), DP_DONE);
            remove_unit(board, unit);
        }
    dp_report_destroyed(board, results);
}
