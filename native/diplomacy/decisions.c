/* Reads the orders of a movement phase and decides what comes of them. */
#include "diplomacy/decisions.h"

#include <string.h>

static void place_units(dp_decisions *d) {
    memset(d->at, -1, sizeof d->at);
    memset(d->first_mover, -1, sizeof d->first_mover);
    for (int k = 0; k < d->n; k++) {
        dp_unit unit = d->board->units[k].unit;
        int province = dp_province(unit);
        d->order[k] = (dp_parts){unit, 0, DP_HOLD, -1, false};
        d->owner[k] = d->board->units[k].owner;
        d->from[k] = d->to[k] = (uint8_t)province;
        d->at[province] = (int8_t)k;
        d->first_support[k] = d->other[k] = -1;
        d->convoy[k] = 0;
        d->route_ordered[k] = d->disrupted[k] = false;
        d->way[k] = DP_BY_LAND;
        d->answer[k] = DP_OPEN;
        if (dp_sea_of[province] >= 0)
            d->convoyer[dp_sea_of[province]] = (uint8_t)k;
    }
}

static int find_unit(const dp_decisions *d, dp_unit unit) {
    int k = d->at[dp_province(unit)];
    return k >= 0 && d->board->units[k].unit == unit ? k : -1;
}

static void take_orders(dp_decisions *d, const dp_order *orders, int n) {
    for (int k = 0; k < n; k++) {
        dp_parts order = dp_unpack_order(orders[k]);
        int unit = find_unit(d, order.unit);
        if (unit >= 0)
            d->order[unit] = order;
    }
    for (int k = 0; k < d->n; k++) {
        if (d->order[k].verb != DP_MOVE)
            continue;
        d->to[k] = dp_province_of[d->order[k].to];
        d->next_mover[k] = d->first_mover[d->to[k]];
        d->first_mover[d->to[k]] = (int8_t)k;
    }
}

/* Whether a support or convoy is for what the other unit really does. */
static bool fits(const dp_decisions *d, int unit, int other) {
    const dp_parts *order = &d->order[unit], *done = &d->order[other];
    if (order->to < 0)
        return done->verb != DP_MOVE;
    if (done->verb != DP_MOVE || d->to[other] != dp_province_of[order->to])
        return false;
    return order->to == done->to || dp_location_of[d->to[other]] == order->to;
}

/* Connects supports and convoys with those they are for; returns whose own fleets convoy them, as answers. */
static void connect(dp_decisions *d, bool *own_convoy) {
    for (int k = 0; k < d->n; k++) {
        int verb = d->order[k].verb;
        int other = verb == DP_SUPPORT || verb == DP_CONVOY ? find_unit(d, d->order[k].other) : -1;
        if (other < 0 || !fits(d, k, other))
            continue;
        d->other[k] = (int8_t)other;
        if (verb == DP_SUPPORT) {
            d->next_support[k] = d->first_support[other];
            d->first_support[other] = (int8_t)k;
        } else {
            d->convoy[other] |= 1u << dp_sea_of[d->from[k]];
            own_convoy[other] |= d->owner[k] == d->owner[other];
        }
    }
}

static void find_ways(dp_decisions *d, const bool *own_convoy) {
    for (int k = 0; k < d->n; k++) {
        const dp_parts *order = &d->order[k];
        if (order->verb != DP_MOVE || dp_is_fleet(order->unit))
            continue;
        d->route_ordered[k] = d->convoy[k] && dp_is_connected(d->from[k], d->to[k], d->convoy[k]);
        if (!dp_has(DP_OF(dp_goals, order->unit), order->to))
            d->way[k] = DP_BY_SEA;
        else if (d->route_ordered[k] && order->via)
            d->way[k] = DP_BY_SEA;
        else if (d->route_ordered[k] && own_convoy[k])
            d->way[k] = DP_BY_EITHER;
    }
}

void dp_read_orders(dp_decisions *d, const dp_board *board, const dp_order *orders, int n) {
    bool own_convoy[DP_PROVINCES] = {false};
    d->board = board;
    d->n = board->n_units;
    place_units(d);
    take_orders(d, orders, n);
    connect(d, own_convoy);
    find_ways(d, own_convoy);
}

/* Evaluates open decisions until none falls any more; returns how many are left. */
static int propagate(dp_decisions *d, uint8_t *open, int n) {
    for (int before = n + 1; n && n < before;) {
        before = n;
        n = 0;
        for (int k = 0; k < before; k++) {
            int unit = open[k];
            if (d->answer[unit] == DP_OPEN)
                d->answer[unit] = dp_evaluate(d, unit);
            if (d->answer[unit] == DP_OPEN)
                open[n++] = (uint8_t)unit;
        }
    }
    return n;
}

/* Only moves, supports and convoys ask for decisions; convoys and supports are often settled first. */
static int list_open(dp_decisions *d, uint8_t *open) {
    static const uint8_t ORDER[] = {DP_CONVOY, DP_SUPPORT, DP_MOVE};
    int n = 0;
    for (int turn = 0; turn < 3; turn++)
        for (int k = 0; k < d->n; k++)
            if (d->order[k].verb == ORDER[turn])
                open[n++] = (uint8_t)k;
    return n;
}

void dp_decide(dp_decisions *d) {
    uint8_t open[DP_PROVINCES];
    int n = list_open(d, open);
    while ((n = propagate(d, open, n)))
        dp_break_circles(d);
}

int dp_find_attacker(const dp_decisions *d, int unit) {
    if (dp_moves_away(d, unit))
        return -1;
    for (int k = d->first_mover[d->from[unit]]; k >= 0; k = d->next_mover[k])
        if (d->answer[k] == DP_YES)
            return k;
    return -1;
}
