/* After the decisions: who stands where, who is dislodged and where to, and what came of every order. */
#include "diplomacy/decisions.h"

#include <string.h>

/* ---- results ------------------------------------------------------------------------------------ */

static bool went_by_sea(const dp_decisions *d, int unit) {
    return d->way[unit] == DP_BY_SEA || (d->way[unit] == DP_BY_EITHER && dp_route_holds(d, unit) == DP_YES);
}

static void report_move(const dp_decisions *d, int unit, dp_result *r) {
    if (d->answer[unit] == DP_YES)
        return;
    dp_add_code(r, dp_has_path(d, unit) == DP_NO ? DP_NO_CONVOY : DP_BOUNCE);
}

/* A support that is given, but not counted against a unit of its own power; where the attack is too weak
 * anyway, nothing is said of it. */
static void report_void_support(const dp_decisions *d, int unit, dp_result *r) {
    int mover = d->other[unit], there = d->at[d->to[mover]];
    if (d->order[mover].verb != DP_MOVE || there < 0 || d->owner[there] != d->owner[unit]
        || dp_moves_away(d, there))
        return;
    bool met = dp_is_head_to_head(d, mover, dp_find_opponent(d, mover)) == DP_YES;
    if (met || dp_is_strong_enough(d, mover))
        dp_add_code(r, DP_VOID);
    if (met && dp_find_attacker(d, there) >= 0)
        dp_add_code(r, DP_VOID);
}

static void report_support(const dp_decisions *d, int unit, dp_result *r) {
    int other = d->other[unit];
    if (other < 0 || (d->way[other] == DP_BY_SEA && !d->route_ordered[other]))
        dp_add_code(r, DP_VOID);
    else if (d->answer[unit] == DP_NO)
        dp_add_code(r, DP_CUT);
    else if (dp_has_path(d, other) == DP_NO)
        dp_add_code(r, DP_NO_CONVOY);
    else
        report_void_support(d, unit, r);
}

/* Whether some route of ordered fleets needs this one. */
static bool is_needed(const dp_decisions *d, int fleet, int army) {
    int start = d->from[army], sea = dp_sea_of[d->from[fleet]];
    for (int row = dp_first_route[start]; row < dp_first_route[start + 1]; row++) {
        uint32_t seas = dp_routes[row].seas;
        if (seas >> sea & 1 && !(seas & ~d->convoy[army])
            && dp_has(dp_routes[row].ends, dp_location_of[d->to[army]]))
            return true;
    }
    return false;
}

static void report_convoy(const dp_decisions *d, int unit, dp_result *r) {
    int army = d->other[unit];
    bool dislodged = dp_find_attacker(d, unit) >= 0;
    if (army < 0) {
        dp_add_code(r, DP_VOID);
    } else if (d->way[army] == DP_BY_LAND || !is_needed(d, unit, army)) {
        dp_add_code(r, DP_NO_CONVOY);
        dp_add_code(r, DP_VOID);
    } else if (dp_route_holds(d, army) == DP_NO && !dislodged) {
        dp_add_code(r, d->disrupted[unit] ? DP_DISRUPTED : DP_NO_CONVOY);
    }
}

static void report(const dp_decisions *d, int unit, dp_results *results) {
    dp_result *r = dp_add_result(results, d->board->units[unit].unit);
    switch (d->order[unit].verb) {
    case DP_MOVE: report_move(d, unit, r); break;
    case DP_SUPPORT: report_support(d, unit, r); break;
    case DP_CONVOY: report_convoy(d, unit, r); break;
    default: break;
    }
    if (dp_find_attacker(d, unit) >= 0)
        dp_add_code(r, DP_DISLODGED);
}

/* ---- retreats ----------------------------------------------------------------------------------- */

/* Provinces where nobody may retreat to: occupied after the moves, or left empty by a standoff. */
static void find_closed(const dp_decisions *d, bool *closed) {
    memset(closed, false, DP_PROVINCES);
    for (int k = 0; k < d->n; k++) {
        if (dp_moves_away(d, k))
            closed[d->to[k]] = true;
        else if (dp_find_attacker(d, k) < 0)
            closed[d->from[k]] = true;
        if (d->order[k].verb != DP_MOVE || d->answer[k] == DP_YES || dp_has_path(d, k) == DP_NO)
            continue;
        int opponent = dp_find_opponent(d, k);
        bool beaten = dp_is_head_to_head(d, k, opponent) == DP_YES && d->answer[opponent] == DP_YES;
        closed[d->to[k]] |= !beaten;
    }
}

static uint16_t find_places(const dp_decisions *d, int unit, int attacker, const bool *closed) {
    dp_unit code = d->board->units[unit].unit;
    int origin = went_by_sea(d, attacker) ? -1 : d->from[attacker];
    uint16_t places = 0;
    for (int k = 0; k < DP_OF(dp_n_moves, code); k++) {
        int province = dp_province_of[DP_OF(dp_moves, code)[k]];
        if (!closed[province] && province != origin)
            places |= (uint16_t)(1 << k);
    }
    return places;
}

static void dislodge_units(const dp_decisions *d, dp_board *board) {
    bool closed[DP_PROVINCES];
    find_closed(d, closed);
    board->n_dislodged = board->n_destroyed = 0;
    for (int k = 0; k < d->n; k++) {
        int attacker = dp_find_attacker(d, k);
        if (attacker < 0)
            continue;
        uint16_t places = find_places(d, k, attacker, closed);
        dp_piece piece = d->board->units[k];
        if (places)
            board->dislodged[board->n_dislodged++] = (dp_dislodged){piece.owner, piece.unit, places};
        else
            board->destroyed[board->n_destroyed++] = piece;
    }
}

/* Those that stay, then those that move, power by power. */
static void place_units(const dp_decisions *d, dp_board *board) {
    board->n_units = 0;
    for (int first = 0, last; first < d->n; first = last) {
        int power = d->owner[first];
        for (last = first; last < d->n && d->owner[last] == power; last++)
            if (!dp_moves_away(d, last) && dp_find_attacker(d, last) < 0)
                board->units[board->n_units++] = d->board->units[last];
        for (int k = first; k < last; k++)
            if (dp_moves_away(d, k)) {
                dp_unit unit = dp_unit_at(dp_kind_of(d->order[k].unit), d->order[k].to);
                board->units[board->n_units++] = (dp_piece){(uint8_t)power, unit};
                dp_take_influence(board, d->to[k], power);
            }
    }
}

void dp_move_units(dp_board *board, const dp_order *orders, int n, dp_results *results) {
    dp_board before = *board;
    dp_decisions d;
    dp_read_orders(&d, &before, orders, n);
    dp_decide(&d);
    for (int k = 0; results && k < d.n; k++)
        report(&d, k, results);
    dislodge_units(&d, board);
    place_units(&d, board);
}
