/* Retreats: units that meet are destroyed, the others arrive. */
#include "diplomacy/board.h"

#include <string.h>

dp_result *dp_add_result(dp_results *results, dp_unit unit) {
    if (!results || results->n == DP_MOST_RESULTS)
        return NULL;
    dp_result *r = &results->each[results->n++];
    *r = (dp_result){.unit = unit};
    return r;
}

static dp_result *find_result(dp_results *results, dp_unit unit) {
    for (int k = 0; results && k < results->n; k++)
        if (results->each[k].unit == unit)
            return &results->each[k];
    return dp_add_result(results, unit);
}

void dp_report_destroyed(dp_board *board, dp_results *results) {
    for (int k = 0; k < board->n_destroyed; k++)
        dp_add_code(find_result(results, board->destroyed[k].unit), DP_DISBANDED);
    board->n_destroyed = 0;
}

/* The last order of each dislodged unit, where it goes or -1; and how many go to each province. */
typedef struct {
    int8_t to[DP_PROVINCES], place[DP_PROVINCES];
    uint8_t arrivals[DP_PROVINCES];
} plan;

static int find_dislodged(const dp_board *board, dp_unit unit) {
    for (int k = 0; k < board->n_dislodged; k++)
        if (board->dislodged[k].unit == unit)
            return k;
    return -1;
}

static plan read_plan(const dp_board *board, const dp_order *orders, int n) {
    plan p;
    memset(p.to, -1, sizeof p.to);
    memset(p.arrivals, 0, sizeof p.arrivals);
    for (int k = 0; k < n; k++) {
        dp_parts order = dp_unpack_order(orders[k]);
        int unit = find_dislodged(board, order.unit);
        if (unit >= 0) {
            p.to[unit] = order.verb == DP_RETREAT ? order.to : -1;
            p.place[unit] = (int8_t)(k < 127 ? k : 127);
        }
    }
    for (int k = 0; k < board->n_dislodged; k++)
        if (p.to[k] >= 0)
            p.arrivals[dp_province_of[p.to[k]]]++;
    return p;
}

static bool arrives(const plan *p, int unit) {
    return p->to[unit] >= 0 && p->arrivals[dp_province_of[p->to[unit]]] == 1;
}

static void report(const dp_board *board, const plan *p, dp_results *results) {
    for (int k = 0; k < board->n_dislodged; k++) {
        dp_result *r = dp_add_result(results, board->dislodged[k].unit);
        if (arrives(p, k))
            continue;
        if (p->to[k] >= 0)
            dp_add_code(r, DP_BOUNCE);
        dp_add_code(r, DP_DISBANDED);
    }
}

/* The next unit to arrive: powers in their order, orders in theirs. */
static int next_arrival(const dp_board *board, const plan *p) {
    int best = -1;
    for (int k = 0; k < board->n_dislodged; k++) {
        if (!arrives(p, k))
            continue;
        int owner = board->dislodged[k].owner;
        if (best < 0 || owner < board->dislodged[best].owner
            || (owner == board->dislodged[best].owner && p->place[k] < p->place[best]))
            best = k;
    }
    return best;
}

void dp_retreat_units(dp_board *board, const dp_order *orders, int n, dp_results *results) {
    plan p = read_plan(board, orders, n);
    report(board, &p, results);
    for (int k = next_arrival(board, &p); k >= 0; k = next_arrival(board, &p)) {
        const dp_dislodged *d = &board->dislodged[k];
        dp_append_unit(board, d->owner, dp_unit_at(dp_kind_of(d->unit), p.to[k]));
        dp_take_influence(board, dp_province_of[p.to[k]], d->owner);
        p.to[k] = -1;
    }
    board->n_dislodged = 0;
    dp_report_destroyed(board, results);
}
