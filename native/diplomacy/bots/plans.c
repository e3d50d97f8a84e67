/* Orders made of what places are worth, one unit after the other. */
#include "diplomacy/bots/bots.h"

#include "common/random.h"

#include <string.h>

enum { MOST_GOALS = DP_MOST_MOVES + 1 };

/* A place to go to, or to build in. */
typedef struct {
    int32_t worth;
    uint8_t kind, location;
} goal;

/* Best first; equal ones by kind and location. */
static void sort_goals(goal *goals, int n) {
    for (int k = 1; k < n; k++) {
        goal g = goals[k];
        int at = k;
        for (; at && (goals[at - 1].worth < g.worth
                      || (goals[at - 1].worth == g.worth
                          && dp_unit_at(goals[at - 1].kind, goals[at - 1].location)
                                 > dp_unit_at(g.kind, g.location)));
             at--)
            goals[at] = goals[at - 1];
        goals[at] = g;
    }
}

/* Steps down a sorted list at random, from better to worse, and returns where it ends. */
static int walk(const goal *goals, int n, const dp_temper *temper, uint64_t *random) {
    int at = 0;
    while (at + 1 < n && random_below(random, 100) < temper->careless) {
        int64_t here = goals[at].worth, gap = here - goals[at + 1].worth;
        if (here && random_below(random, 100) < gap * temper->contrast / (here < 0 ? -here : here))
            break;
        at++;
    }
    return at;
}

/* ---- movement ----------------------------------------------------------------------------------- */

enum state { UNDECIDED, DECIDING, DECIDED };

/* One power's movement: its units by province, and for each where it stands or goes and whom it supports. */
typedef struct {
    const dp_worth *worth;
    const dp_temper *temper;
    int power, n;
    uint64_t *random;
    dp_unit unit[DP_PROVINCES];
    int8_t own[DP_PROVINCES]; /* the own unit in a province, or -1 */
    uint8_t state[DP_PROVINCES], to[DP_PROVINCES];
    int8_t supported[DP_PROVINCES]; /* whom it supports, or -1 */
} movement;

static int32_t value_at(const movement *m, int kind, int location) {
    return m->worth->values[kind][location][m->power];
}
static int count_rivals(const movement *m, int province) { return m->worth->rivals[province][m->power]; }
static bool stays(const movement *m, int unit) { return dp_province_of[m->to[unit]] == dp_province(m->unit[unit]); }

static int list_goals(const movement *m, int unit, goal *goals) {
    dp_unit code = m->unit[unit];
    int kind = dp_kind_of(code), n = DP_OF(dp_n_moves, code);
    for (int k = 0; k < n; k++) {
        uint8_t to = DP_OF(dp_moves, code)[k];
        goals[k] = (goal){value_at(m, kind, to), (uint8_t)kind, to};
    }
    uint8_t here = (uint8_t)dp_location(code);
    goals[n] = (goal){value_at(m, kind, here) + 1, (uint8_t)kind, here};
    sort_goals(goals, n + 1);
    return n + 1;
}

static bool support(movement *m, int unit, int other) {
    if (m->state[other] == DECIDING)
        return false;
    m->to[unit] = (uint8_t)dp_location(m->unit[unit]);
    m->supported[unit] = (int8_t)other;
    return true;
}

/* The own unit that goes to a province from elsewhere, or -1. */
static int find_mover(const movement *m, int province) {
    for (int k = 0; k < m->n; k++)
        if (m->state[k] == DECIDED && dp_province_of[m->to[k]] == province && !stays(m, k))
            return k;
    return -1;
}

static void decide(movement *m, int unit);

/* Goes somewhere, or supports the own unit that is there or goes there; false if that would be idle. */
static bool try_goal(movement *m, int unit, int location) {
    int province = dp_province_of[location], there = m->own[province];
    if (there >= 0) {
        if (m->state[there] == UNDECIDED)
            decide(m, there);
        if (m->state[there] == DECIDING || stays(m, there))
            return count_rivals(m, province) > 1 && support(m, unit, there);
    }
    int mover = find_mover(m, province);
    if (mover >= 0)
        return count_rivals(m, province) > 0 && support(m, unit, mover);
    m->to[unit] = (uint8_t)location;
    return true;
}

/* Decides what a unit does, after the units that it depends on. */
static void decide(movement *m, int unit) {
    goal goals[MOST_GOALS];
    int n = list_goals(m, unit, goals), here = dp_location(m->unit[unit]);
    m->state[unit] = DECIDING;
    while (n) {
        int at = walk(goals, n, m->temper, m->random);
        if (goals[at].location == here || try_goal(m, unit, goals[at].location))
            break;
        memmove(&goals[at], &goals[at + 1], (size_t)(--n - at) * sizeof *goals);
    }
    m->state[unit] = DECIDED;
}

/* What it is worth that an idle unit supports another; 0 if it cannot or need not. */
static int32_t support_value(const movement *m, int unit, int other) {
    int to = m->to[other], province = dp_province_of[to];
    if (other == unit || !dp_has(DP_OF(dp_reach, m->unit[unit]), to))
        return 0;
    if (count_rivals(m, province) <= stays(m, other))
        return 0;
    return value_at(m, dp_kind_of(m->unit[other]), to);
}

/* Whether a province has a centre of somebody else's. */
static bool is_prize(const movement *m, int province) {
    return m->worth->owner[province] >= 0 && m->worth->owner[province] != m->power;
}

static bool is_supported(const movement *m, int unit) {
    for (int k = 0; k < m->n; k++)
        if (m->supported[k] == unit)
            return true;
    return false;
}

/* Whether a unit does nothing that matters: it just stays; or, in a gang, it goes where there is nothing to win,
 * and nobody helps it or waits for it to leave. */
static bool is_free(const movement *m, int unit) {
    if (m->supported[unit] >= 0)
        return false;
    return stays(m, unit)
        || (m->temper->gangs_up && !is_prize(m, dp_province_of[m->to[unit]])
            && !is_supported(m, unit) && find_mover(m, dp_province(m->unit[unit])) < 0);
}

/* Lets a unit that is free support the most valuable thing another does; one that was moving, attacks only. */
static void employ(movement *m, int unit) {
    int32_t best = 0;
    bool moving = !stays(m, unit);
    if (!is_free(m, unit))
        return;
    for (int other = 0; other < m->n; other++) {
        int32_t value = support_value(m, unit, other);
        if (moving && (stays(m, other) || !is_prize(m, dp_province_of[m->to[other]])))
            continue;
        if (value > 0 && value >= best) {
            best = value;
            support(m, unit, other);
        }
    }
}

static dp_order write_order(const movement *m, int unit) {
    dp_parts parts = {m->unit[unit], 0, DP_HOLD, -1, false};
    int other = m->supported[unit];
    if (other >= 0) {
        parts.verb = DP_SUPPORT;
        parts.other = m->unit[other];
        parts.to = stays(m, other) ? -1 : (int8_t)m->to[other];
    } else if (!stays(m, unit)) {
        parts.verb = DP_MOVE;
        parts.to = (int8_t)m->to[unit];
    }
    return dp_pack_order(parts);
}

/* The undecided units that can go to a province, but for those about to win another one. */
static int list_attackers(const movement *m, int province, uint8_t *units) {
    int n = 0;
    for (int k = 0; k < m->n; k++)
        if (m->state[k] == UNDECIDED && dp_has(DP_OF(dp_reach, m->unit[k]), dp_location_of[province])
            && !is_prize(m, dp_province(m->unit[k])))
            units[n++] = (uint8_t)k;
    return n;
}

/* Where a unit would stand in a province. */
static int find_landing(const movement *m, int unit, int province) {
    dp_unit code = m->unit[unit];
    int best = -1;
    for (int k = 0; k < DP_OF(dp_n_moves, code); k++) {
        int to = DP_OF(dp_moves, code)[k];
        if (dp_province_of[to] == province
            && (best < 0 || value_at(m, dp_kind_of(code), to) > value_at(m, dp_kind_of(code), best)))
            best = to;
    }
    return best;
}

/* Sends one unit into a province and lets the others support it, if they are enough. */
static bool assault(movement *m, int province) {
    uint8_t units[DP_PROVINCES];
    int n = list_attackers(m, province, units), rivals = count_rivals(m, province);
    if (!rivals || n < rivals || n < 2 || m->own[province] >= 0)
        return false;
    int leader = random_below(m->random, n);
    m->to[units[leader]] = (uint8_t)find_landing(m, units[leader], province);
    m->state[units[leader]] = DECIDED;
    for (int k = 0, left = rivals; k < n && left; k++)
        if (k != leader) {
            support(m, units[k], units[leader]);
            m->state[units[k]] = DECIDED;
            left--;
        }
    return true;
}

/* Attacks the most valuable centres that its units can take together. */
static void attack_centres(movement *m) {
    goal prizes[DP_CENTRES];
    int n = 0;
    for (int k = 0; k < DP_CENTRES; k++) {
        int province = dp_centre_order[k], at = dp_location_of[province];
        if (is_prize(m, province))
            prizes[n++] = (goal){value_at(m, 0, at), 0, (uint8_t)province};
    }
    sort_goals(prizes, n);
    for (int k = 0; k < n; k++)
        assault(m, prizes[k].location);
}

/* The power's units, by province. */
static void gather_units(movement *m, const dp_board *board) {
    dp_standing standing;
    dp_find_units(board, &standing);
    m->n = 0;
    for (int province = 0; province < DP_PROVINCES; province++) {
        int k = standing.at[province];
        m->own[province] = -1;
        if (k < 0 || board->units[k].owner != m->power)
            continue;
        m->own[province] = (int8_t)m->n;
        m->unit[m->n] = board->units[k].unit;
        m->to[m->n] = (uint8_t)dp_location(board->units[k].unit);
        m->state[m->n] = UNDECIDED;
        m->supported[m->n++] = -1;
    }
}

static void shuffle(uint8_t *items, int n, uint64_t *random) {
    for (int k = 0; k < n; k++)
        items[k] = (uint8_t)k;
    for (int k = n - 1; k > 0; k--) {
        int other = random_below(random, k + 1);
        uint8_t kept = items[k];
        items[k] = items[other];
        items[other] = kept;
    }
}

static int plan_movement(movement *m, const dp_board *board, dp_order *orders) {
    uint8_t turn[DP_PROVINCES];
    gather_units(m, board);
    if (m->temper->gangs_up)
        attack_centres(m);
    shuffle(turn, m->n, m->random);
    for (int k = 0; k < m->n; k++)
        if (m->state[turn[k]] == UNDECIDED)
            decide(m, turn[k]);
    for (int k = 0; k < m->n; k++)
        employ(m, turn[k]);
    for (int k = 0; k < m->n; k++)
        orders[k] = write_order(m, k);
    return m->n;
}

/* ---- retreats and winter ------------------------------------------------------------------------ */

/* The best retreat of every dislodged unit, no two to one place. */
static int plan_retreats(const dp_board *board, const dp_worth *worth, int power, dp_order *orders) {
    dp_standing standing;
    int n = 0;
    dp_find_units(board, &standing);
    for (int k = 0; k < board->n_dislodged; k++) {
        const dp_dislodged *d = &board->dislodged[k];
        dp_parts parts = {d->unit, 0, DP_DISBAND, -1, false};
        int32_t best = INT32_MIN;
        for (int move = 0; d->owner == power && move < DP_OF(dp_n_moves, d->unit); move++) {
            int to = DP_OF(dp_moves, d->unit)[move];
            int32_t value = worth->values[dp_kind_of(d->unit)][to][power];
            if (d->places >> move & 1 && standing.at[dp_province_of[to]] < 0 && value > best) {
                best = value;
                parts.verb = DP_RETREAT;
                parts.to = (int8_t)to;
            }
        }
        if (d->owner != power)
            continue;
        if (parts.to >= 0)
            standing.at[dp_province_of[parts.to]] = 0;
        orders[n++] = dp_pack_order(parts);
    }
    return n;
}

/* Removes the units where they are worth least. */
static int plan_removals(const dp_board *board, const dp_worth *worth, int power, int n, dp_order *orders) {
    goal units[DP_PROVINCES];
    int all = 0;
    for (int k = 0; k < board->n_units; k++)
        if (board->units[k].owner == power) {
            int kind = dp_kind_of(board->units[k].unit), at = dp_location(board->units[k].unit);
            units[all++] = (goal){-worth->values[kind][at][power], (uint8_t)kind, (uint8_t)at};
        }
    sort_goals(units, all);
    for (int k = 0; k < n; k++)
        orders[k] = dp_pack_order((dp_parts){dp_unit_at(units[k].kind, units[k].location), 0, DP_DISBAND, -1, false});
    return n;
}

static int list_sites(const dp_board *board, const dp_worth *worth, int power, goal *sites) {
    uint8_t homes[4];
    int n = 0, n_homes = dp_open_homes(board, power, homes);
    for (int kind = 0; kind < 2; kind++)
        for (int k = 0; k < n_homes; k++)
            for (int at = dp_location_of[homes[k]]; at < DP_LOCATIONS && dp_province_of[at] == homes[k]; at++)
                if (dp_n_moves[kind][at])
                    sites[n++] = (goal){worth->values[kind][at][power], (uint8_t)kind, (uint8_t)at};
    sort_goals(sites, n);
    return n;
}

/* Builds where units are worth most, or at random where they are worth a little less. */
static int plan_builds(const dp_board *board, const dp_worth *worth, int power, int most, const dp_temper *temper,
                       uint64_t *random, dp_order *orders) {
    goal sites[16];
    int left = list_sites(board, worth, power, sites), n = 0;
    while (left && n < most) {
        goal site = sites[walk(sites, left, temper, random)];
        int kept = 0;
        orders[n++] = dp_pack_order((dp_parts){dp_unit_at(site.kind, site.location), 0, DP_BUILD, -1, false});
        for (int k = 0; k < left; k++)
            if (dp_province_of[sites[k].location] != dp_province_of[site.location])
                sites[kept++] = sites[k];
        left = kept;
    }
    return n;
}

int dp_plan_orders(const dp_board *board, const dp_worth *worth, int power, const dp_temper *temper,
                   uint64_t *random, dp_order *orders) {
    movement m = {.worth = worth, .temper = temper, .power = power, .random = random};
    if (board->kind == DP_MOVEMENT)
        return plan_movement(&m, board, orders);
    if (board->kind == DP_RETREATS)
        return plan_retreats(board, worth, power, orders);
    int more = board->kind == DP_ADJUSTMENTS ? dp_adjustment(board, power) : 0;
    if (more < 0)
        return plan_removals(board, worth, power, -more, orders);
    return plan_builds(board, worth, power, more, temper, random, orders);
}
