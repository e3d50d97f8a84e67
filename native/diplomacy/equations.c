/* The equations of the decisions: strengths as ranges, after the rules of 2023. */
#include "diplomacy/decisions.h"

typedef struct {
    int least, most;
} range;

static dp_answer is_greater(range a, range b) {
    return a.least > b.most ? DP_YES : a.most <= b.least ? DP_NO : DP_OPEN;
}

/* ---- ways --------------------------------------------------------------------------------------- */

/* The seas of a unit's convoy where the fleet's answer can be one of these. */
static uint32_t seas_with(const dp_decisions *d, int unit, dp_answer bits) {
    uint32_t seas = 0;
    for (uint32_t left = d->convoy[unit]; left; left &= left - 1) {
        int sea = dp_lowest_bit(left);
        if (d->answer[d->convoyer[sea]] & bits)
            seas |= 1u << sea;
    }
    return seas;
}

dp_answer dp_route_holds(const dp_decisions *d, int unit) {
    int from = d->from[unit], to = d->to[unit];
    uint32_t possible = d->route_ordered[unit] ? seas_with(d, unit, DP_YES) : 0;
    if (!possible || !dp_is_connected(from, to, possible))
        return DP_NO;
    return dp_is_connected(from, to, possible & ~seas_with(d, unit, DP_NO)) ? DP_YES : DP_OPEN;
}

static dp_answer goes_by_land(const dp_decisions *d, int unit) {
    if (d->way[unit] == DP_BY_EITHER)
        return dp_not(dp_route_holds(d, unit));
    return d->way[unit] == DP_BY_LAND ? DP_YES : DP_NO;
}

int dp_find_opponent(const dp_decisions *d, int unit) {
    int other = d->at[d->to[unit]];
    bool opposite = other >= 0 && d->order[other].verb == DP_MOVE && d->to[other] == d->from[unit];
    return opposite ? other : -1;
}

dp_answer dp_is_head_to_head(const dp_decisions *d, int unit, int opponent) {
    return opponent < 0 ? DP_NO : dp_and(goes_by_land(d, unit), goes_by_land(d, opponent));
}

/* ---- strengths ---------------------------------------------------------------------------------- */

/* One and the supports of a unit, but for those of a power. */
static range supported(const dp_decisions *d, int unit, int but) {
    range r = {1, 1};
    for (int k = d->first_support[unit]; k >= 0; k = d->next_support[k])
        if (d->owner[k] != but) {
            r.least += d->answer[k] == DP_YES;
            r.most += d->answer[k] != DP_NO;
        }
    return r;
}

static range with_path(range r, dp_answer path) {
    return (range){path == DP_YES ? r.least : 0, path == DP_NO ? 0 : r.most};
}

static range attack_strength(const dp_decisions *d, int unit) {
    int other = d->at[d->to[unit]];
    range all = supported(d, unit, -1), against = all;
    if (other >= 0) {
        dp_answer leaves = d->order[other].verb == DP_MOVE ? d->answer[other] : DP_NO;
        if (leaves != DP_NO)
            leaves = dp_and(leaves, dp_not(dp_is_head_to_head(d, unit, dp_find_opponent(d, unit))));
        range foreign = supported(d, unit, d->owner[other]);
        range stays = d->owner[other] == d->owner[unit] ? (range){0, 0} : foreign;
        against = (range){leaves == DP_YES ? all.least : stays.least, leaves == DP_NO ? stays.most : all.most};
    }
    return with_path(against, dp_has_path(d, unit));
}

static range hold_strength(const dp_decisions *d, int unit) {
    if (d->order[unit].verb != DP_MOVE)
        return supported(d, unit, -1);
    return (range){d->answer[unit] == DP_NO, d->answer[unit] != DP_YES};
}

static range prevent_strength(const dp_decisions *d, int unit) {
    int opponent = dp_find_opponent(d, unit);
    dp_answer stopped = dp_is_head_to_head(d, unit, opponent);
    if (stopped != DP_NO)
        stopped = dp_and(stopped, d->answer[opponent]);
    return with_path(supported(d, unit, -1), dp_and(dp_has_path(d, unit), dp_not(stopped)));
}

/* Whether an attack is stronger than what stands in its way. */
static dp_answer beats_unit(const dp_decisions *d, int unit, range attack) {
    int other = d->at[d->to[unit]], opponent = dp_find_opponent(d, unit);
    if (other < 0)
        return is_greater(attack, (range){0, 0});
    dp_answer head = dp_is_head_to_head(d, unit, opponent), answer = 0;
    if (head & DP_YES)
        answer |= is_greater(attack, supported(d, opponent, -1));
    if (head & DP_NO)
        answer |= is_greater(attack, hold_strength(d, other));
    return answer;
}

/* ---- decisions ---------------------------------------------------------------------------------- */

/* Whether an attack is stronger than what stands in its way, and than all who want to go there, too. */
static dp_answer beats_all(const dp_decisions *d, int unit, range attack) {
    dp_answer answer = beats_unit(d, unit, attack);
    for (int k = d->first_mover[d->to[unit]]; k >= 0 && answer != DP_NO; k = d->next_mover[k])
        if (k != unit)
            answer = dp_and(answer, is_greater(attack, prevent_strength(d, k)));
    return answer;
}

static dp_answer evaluate_move(const dp_decisions *d, int unit) {
    return beats_all(d, unit, attack_strength(d, unit));
}

bool dp_is_strong_enough(const dp_decisions *d, int unit) {
    return beats_all(d, unit, supported(d, unit, -1)) == DP_YES;
}

/* Whether nobody moves into the unit's place. */
static dp_answer stays_put(const dp_decisions *d, int unit) {
    dp_answer answer = DP_YES;
    for (int k = d->first_mover[d->from[unit]]; k >= 0; k = d->next_mover[k])
        answer = dp_and(answer, dp_not(d->answer[k]));
    return answer;
}

/* Whether a move into its place cuts a support, if it has a path. */
static bool can_cut(const dp_decisions *d, int mover, int unit) {
    int aim = d->order[unit].to >= 0 ? dp_province_of[d->order[unit].to] : dp_province(d->order[unit].other);
    return d->owner[mover] != d->owner[unit] && d->from[mover] != aim;
}

static dp_answer evaluate_support(const dp_decisions *d, int unit) {
    dp_answer answer = stays_put(d, unit);
    for (int k = d->first_mover[d->from[unit]]; k >= 0; k = d->next_mover[k])
        if (can_cut(d, k, unit))
            answer = dp_and(answer, dp_not(dp_has_path(d, k)));
    return answer;
}

dp_answer dp_evaluate(const dp_decisions *d, int unit) {
    switch (d->order[unit].verb) {
    case DP_MOVE: return evaluate_move(d, unit);
    case DP_SUPPORT: return evaluate_support(d, unit);
    default: return stays_put(d, unit);
    }
}

/* ---- who asks whom ------------------------------------------------------------------------------ */

static void mark(const dp_decisions *d, int unit, bool *marked) {
    if (d->answer[unit] == DP_OPEN)
        marked[unit] = true;
}

static void mark_supports(const dp_decisions *d, int unit, bool *marked) {
    for (int k = d->first_support[unit]; k >= 0; k = d->next_support[k])
        mark(d, k, marked);
}

static void mark_route(const dp_decisions *d, int unit, bool *marked) {
    if (dp_route_holds(d, unit) != DP_OPEN)
        return;
    for (uint32_t left = d->convoy[unit]; left; left &= left - 1)
        mark(d, d->convoyer[dp_lowest_bit(left)], marked);
}

/* What it depends on whether two units meet head to head. */
static void mark_meeting(const dp_decisions *d, int unit, int opponent, bool *marked) {
    if (dp_is_head_to_head(d, unit, opponent) != DP_OPEN)
        return;
    mark_route(d, unit, marked);
    mark_route(d, opponent, marked);
}

static void mark_rival(const dp_decisions *d, int unit, bool *marked) {
    int opponent = dp_find_opponent(d, unit);
    mark_supports(d, unit, marked);
    if (d->way[unit] == DP_BY_SEA)
        mark_route(d, unit, marked);
    mark_meeting(d, unit, opponent, marked);
    if (dp_is_head_to_head(d, unit, opponent) != DP_NO)
        mark(d, opponent, marked);
}

static void mark_for_move(const dp_decisions *d, int unit, bool *marked) {
    int other = d->at[d->to[unit]];
    range attack = attack_strength(d, unit);
    mark_supports(d, unit, marked);
    if (d->way[unit] == DP_BY_SEA)
        mark_route(d, unit, marked);
    mark_meeting(d, unit, dp_find_opponent(d, unit), marked);
    if (other >= 0 && d->order[other].verb == DP_MOVE)
        mark(d, other, marked);
    if (other >= 0 && beats_unit(d, unit, attack) == DP_OPEN)
        mark_supports(d, other, marked);
    for (int k = d->first_mover[d->to[unit]]; k >= 0; k = d->next_mover[k])
        if (k != unit && is_greater(attack, prevent_strength(d, k)) == DP_OPEN)
            mark_rival(d, k, marked);
}

void dp_mark_dependencies(const dp_decisions *d, int unit, bool *marked) {
    if (d->order[unit].verb == DP_MOVE) {
        mark_for_move(d, unit, marked);
        return;
    }
    for (int k = d->first_mover[d->from[unit]]; k >= 0; k = d->next_mover[k]) {
        mark(d, k, marked);
        if (d->order[unit].verb == DP_SUPPORT && d->way[k] == DP_BY_SEA && can_cut(d, k, unit))
            mark_route(d, k, marked);
    }
}
