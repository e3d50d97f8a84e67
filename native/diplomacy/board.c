/* The board: its start, positions set up piece by piece, and lists in the order of history. */
#include "diplomacy/board.h"

#include <string.h>

void dp_clear(dp_board *board, int year, enum dp_season season, enum dp_kind kind) {
    memset(board, 0, sizeof *board);
    board->year = (int16_t)year;
    board->season = (uint8_t)season;
    board->kind = (uint8_t)kind;
}

void dp_begin(dp_board *board, int year, int options) {
    dp_clear(board, year, DP_SPRING, DP_MOVEMENT);
    board->options = (uint8_t)options;
    for (int power = 0; power < DP_POWERS; power++)
        for (int k = 0; k < dp_n_homes[power]; k++) {
            dp_unit unit = dp_start_units[power][k];
            dp_append_unit(board, power, unit);
            dp_take_influence(board, dp_province(unit), power);
            dp_pass_on(board->centres, board->n_centres, dp_homes[power][k], power);
        }
}

void dp_find_units(const dp_board *board, dp_standing *standing) {
    memset(standing->at, -1, sizeof standing->at);
    standing->fleets = 0;
    for (int k = 0; k < board->n_units; k++) {
        int province = dp_province(board->units[k].unit);
        standing->at[province] = (int8_t)k;
        if (dp_sea_of[province] >= 0)
            standing->fleets |= 1u << dp_sea_of[province];
    }
}

int dp_count_units(const dp_board *board, int power) {
    int n = 0;
    for (int k = 0; k < board->n_units; k++)
        n += board->units[k].owner == power;
    return n;
}

/* ---- lists -------------------------------------------------------------------------------------- */

void dp_append_unit(dp_board *board, int power, dp_unit unit) {
    int at = board->n_units++;
    for (; at && board->units[at - 1].owner > power; at--)
        board->units[at] = board->units[at - 1];
    board->units[at] = (dp_piece){(uint8_t)power, unit};
}

static int count_items(const uint8_t *counts, int powers) {
    int n = 0;
    for (int power = 0; power < powers; power++)
        n += counts[power];
    return n;
}

int dp_find_owner(const uint8_t *items, const uint8_t *counts, int province) {
    for (int power = 0; power < DP_POWERS; items += counts[power], power++)
        if (memchr(items, province, counts[power]))
            return power;
    return -1;
}

static void remove_item(uint8_t *items, uint8_t *counts, int province, int owner) {
    int n = count_items(counts, DP_POWERS);
    uint8_t *at = memchr(items, province, (size_t)n);
    memmove(at, at + 1, (size_t)(items + n - at - 1));
    counts[owner]--;
}

void dp_pass_on(uint8_t *items, uint8_t *counts, int province, int power) {
    int owner = dp_find_owner(items, counts, province);
    if (owner >= 0)
        remove_item(items, counts, province, owner);
    int at = count_items(counts, power + 1), n = count_items(counts, DP_POWERS);
    memmove(items + at + 1, items + at, (size_t)(n - at));
    items[at] = (uint8_t)province;
    counts[power]++;
}

/* ---- setting up --------------------------------------------------------------------------------- */

static bool is_taken(const dp_board *board, int province) {
    dp_standing standing;
    dp_find_units(board, &standing);
    return standing.at[province] >= 0;
}

bool dp_add_unit(dp_board *board, int power, dp_unit unit) {
    if (!dp_is_unit(unit) || is_taken(board, dp_province(unit)))
        return false;
    dp_append_unit(board, power, unit);
    return true;
}

bool dp_add_dislodged(dp_board *board, int power, dp_unit unit) {
    if (!dp_is_unit(unit))
        return false;
    for (int k = 0; k < board->n_dislodged; k++)
        if (dp_province(board->dislodged[k].unit) == dp_province(unit))
            return false;
    board->dislodged[board->n_dislodged++] = (dp_dislodged){(uint8_t)power, unit, 0};
    return true;
}

bool dp_add_place(dp_board *board, int location) {
    dp_dislodged *d = &board->dislodged[board->n_dislodged - 1];
    for (int k = 0; k < DP_OF(dp_n_moves, d->unit); k++)
        if (DP_OF(dp_moves, d->unit)[k] == location) {
            d->places |= (uint16_t)(1 << k);
            return true;
        }
    return false;
}

bool dp_add_destroyed(dp_board *board, int power, dp_unit unit) {
    if (!dp_is_unit(unit) || board->n_destroyed == DP_PROVINCES)
        return false;
    board->destroyed[board->n_destroyed++] = (dp_piece){(uint8_t)power, unit};
    return true;
}

bool dp_add_centre(dp_board *board, int power, int province) {
    if (!dp_is_centre[province] || dp_find_owner(board->centres, board->n_centres, province) >= 0)
        return false;
    dp_pass_on(board->centres, board->n_centres, province, power);
    return true;
}

bool dp_add_influence(dp_board *board, int power, int province) {
    if (dp_find_owner(board->influence, board->n_influence, province) >= 0)
        return false;
    dp_take_influence(board, province, power);
    return true;
}
