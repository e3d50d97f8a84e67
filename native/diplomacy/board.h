/* What the files of the board share: who stands where, and lists that are kept in order. */
#ifndef LUDUS_DIPLOMACY_BOARD_H
#define LUDUS_DIPLOMACY_BOARD_H

#include "diplomacy/map.h"

/* Who stands where, by province: the unit's number on the board, or -1. */
typedef struct {
    int8_t at[DP_PROVINCES];
    uint32_t fleets; /* the seas with a fleet */
} dp_standing;
void dp_find_units(const dp_board *board, dp_standing *standing);

/* Puts a unit at the end of a power's list. */
void dp_append_unit(dp_board *board, int power, dp_unit unit);

/* Lists of provinces, one behind the other: the power's that has it, or -1; and a way to pass it on. */
int dp_find_owner(const uint8_t *items, const uint8_t *counts, int province);
void dp_pass_on(uint8_t *items, uint8_t *counts, int province, int power);
static inline void dp_take_influence(dp_board *board, int province, int power) {
    dp_pass_on(board->influence, board->n_influence, province, power);
}

/* ---- phases ------------------------------------------------------------------------------------- */

void dp_move_units(dp_board *board, const dp_order *orders, int n, dp_results *results);
void dp_retreat_units(dp_board *board, const dp_order *orders, int n, dp_results *results);
void dp_adjust_units(dp_board *board, const dp_order *orders, int n, dp_results *results);
/* Lets units take the centres they stand on. */
void dp_capture_centres(dp_board *board);

/* A new line of the results; a place to write nothing that counts if there are none. */
dp_result *dp_add_result(dp_results *results, dp_unit unit);
static inline void dp_add_code(dp_result *result, enum dp_code code) {
    if (result && result->n < 3)
        result->codes[result->n++] = (uint8_t)code;
}
/* Reports the units that were destroyed in the last movement, as disbanded. */
void dp_report_destroyed(dp_board *board, dp_results *results);

#endif
