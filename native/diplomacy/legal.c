/* Legal orders: all of them in the order of their texts, and whether one is among them. */
#include "diplomacy/board.h"

#include <string.h>

typedef struct {
    const dp_board *board;
    dp_standing standing;
    dp_order *orders;
    int capacity;
    dp_groups *groups;
} lister;

static void emit(lister *l, dp_parts parts) {
    if (l->groups->n < l->capacity)
        l->orders[l->groups->n] = dp_pack_order(parts);
    l->groups->n++;
}

/* Emits an order for every place of a set; `order` names none. */
static void emit_each(lister *l, dp_order order, dp_set places) {
    int n = l->groups->n;
    for (int word = 0; word < 2; word++)
        for (uint64_t left = places.words[word]; left; left &= left - 1, n++)
            if (n < l->capacity)
                l->orders[n] = order + DP_NEXT_PLACE * (dp_order)(64 * word + dp_lowest_bit(left) + 1);
    l->groups->n = n;
}

static void end_group(lister *l, int province, int owner) {
    dp_groups *g = l->groups;
    g->province[g->n_groups] = (uint8_t)province;
    g->owner[g->n_groups] = (uint8_t)owner;
    g->end[g->n_groups++] = g->n;
}

/* ---- convoys ------------------------------------------------------------------------------------ */

/* Where armies can be taken: at all, and by routes with or without a given sea. */
typedef struct {
    dp_set ends[DP_PROVINCES];
    dp_set with[DP_PROVINCES][DP_SEAS], without[DP_PROVINCES][DP_SEAS];
} voyages;

static void add_route(voyages *v, int start, const dp_route *route, uint32_t fleets) {
    v->ends[start] = dp_either(v->ends[start], route->ends);
    for (uint32_t left = fleets; left; left &= left - 1) {
        int sea = dp_lowest_bit(left);
        dp_set *set = route->seas >> sea & 1 ? &v->with[start][sea] : &v->without[start][sea];
        *set = dp_either(*set, route->ends);
    }
}

static void find_voyages(const dp_board *board, uint32_t fleets, voyages *v) {
    for (int k = 0; k < board->n_units; k++) {
        dp_unit unit = board->units[k].unit;
        int start = dp_province(unit);
        if (dp_is_fleet(unit))
            continue;
        v->ends[start] = (dp_set){{0, 0}};
        if (!(dp_beach[start] & fleets))
            continue;
        memset(v->with[start], 0, sizeof v->with[start]);
        memset(v->without[start], 0, sizeof v->without[start]);
        for (int row = dp_first_route[start]; row < dp_first_route[start + 1]; row++)
            if (!(dp_routes[row].seas & ~fleets))
                add_route(v, start, &dp_routes[row], fleets);
    }
}

/* ---- movement ----------------------------------------------------------------------------------- */

static void emit_moves(lister *l, const voyages *v, dp_unit unit) {
    dp_order move = dp_pack_order((dp_parts){unit, 0, DP_MOVE, -1, false});
    dp_set walks = DP_OF(dp_goals, unit), sails = {{0, 0}};
    if (!dp_is_fleet(unit))
        sails = v->ends[dp_province(unit)];
    if (dp_is_empty(sails)) {
        emit_each(l, move, walks);
        return;
    }
    for (dp_set left = dp_either(walks, sails); !dp_is_empty(left);) {
        int8_t to = (int8_t)dp_take(&left);
        if (dp_has(walks, to))
            emit(l, (dp_parts){unit, 0, DP_MOVE, to, false});
        if (dp_has(sails, to))
            emit(l, (dp_parts){unit, 0, DP_MOVE, to, true});
    }
}

/* A unit that others may support or convoy: whether it can sail, and all moves that a support can name. */
typedef struct {
    dp_unit unit;
    bool sails;
    dp_set moves;
} neighbour;

static void emit_convoys(lister *l, const voyages *v, dp_unit fleet, const neighbour *units, int n) {
    int sea = dp_sea_of[dp_province(fleet)];
    for (int k = 0; sea >= 0 && k < n && !dp_is_fleet(units[k].unit); k++)
        if (units[k].sails)
            emit_each(l, dp_pack_order((dp_parts){fleet, units[k].unit, DP_CONVOY, -1, false}),
                      v->with[dp_province(units[k].unit)][sea]);
}

static void emit_supports(lister *l, const voyages *v, dp_unit unit, const neighbour *units, int n) {
    dp_set reach = DP_OF(dp_reach, unit);
    dp_order support = dp_pack_order((dp_parts){unit, 0, DP_SUPPORT, -1, false});
    int sea = dp_is_fleet(unit) ? dp_sea_of[dp_province(unit)] : -1;
    for (int k = 0; k < n; k++) {
        dp_unit other = units[k].unit;
        dp_set moves = dp_both(reach, units[k].moves);
        bool near = dp_has(reach, dp_location(other));
        if (other == unit || !(near || !dp_is_empty(moves)))
            continue;
        if (sea >= 0 && units[k].sails) /* no support for what only the supporter itself could carry */
            moves = dp_both(reach, dp_either(DP_OF(dp_supportable, other), v->without[dp_province(other)][sea]));
        if (near)
            emit(l, (dp_parts){unit, other, DP_SUPPORT, -1, false});
        emit_each(l, support + DP_NEXT_UNIT * (dp_order)other, moves);
    }
}

/* All units as their texts sort: armies before fleets. Returns how many there are. */
static int sort_units(const dp_board *board, dp_unit *sorted) {
    uint64_t seen[4] = {0};
    int n = 0;
    for (int k = 0; k < board->n_units; k++)
        seen[board->units[k].unit >> 6] |= (uint64_t)1 << (board->units[k].unit & 63);
    for (int word = 0; word < 4; word++)
        for (uint64_t left = seen[word]; left; left &= left - 1)
            sorted[n++] = (dp_unit)(64 * word + dp_lowest_bit(left));
    return n;
}

/* All units as their texts sort, with what supports can name. */
static int list_neighbours(const dp_board *board, const voyages *v, neighbour *units) {
    dp_unit sorted[DP_PROVINCES];
    int n = sort_units(board, sorted);
    for (int k = 0; k < n; k++) {
        dp_set ends = dp_is_fleet(sorted[k]) ? (dp_set){{0, 0}} : v->ends[dp_province(sorted[k])];
        units[k] = (neighbour){sorted[k], !dp_is_empty(ends), dp_either(DP_OF(dp_supportable, sorted[k]), ends)};
    }
    return n;
}

static void list_movement(lister *l) {
    voyages v;
    neighbour units[DP_PROVINCES];
    find_voyages(l->board, l->standing.fleets, &v);
    int n = list_neighbours(l->board, &v, units);
    for (int province = 0; province < DP_PROVINCES; province++) {
        int k = l->standing.at[province];
        if (k < 0)
            continue;
        dp_unit unit = l->board->units[k].unit;
        emit_moves(l, &v, unit);
        if (dp_is_fleet(unit))
            emit_convoys(l, &v, unit, units, n);
        emit(l, (dp_parts){unit, 0, DP_HOLD, -1, false});
        emit_supports(l, &v, unit, units, n);
        end_group(l, province, l->board->units[k].owner);
    }
}

/* ---- retreats and winter ------------------------------------------------------------------------ */

/* Where a dislodged unit may go now. */
static dp_set find_places(const dp_dislodged *d, const dp_standing *standing) {
    dp_set places = {{0, 0}};
    for (int k = 0; k < DP_OF(dp_n_moves, d->unit); k++) {
        int to = DP_OF(dp_moves, d->unit)[k];
        if (d->places >> k & 1 && standing->at[dp_province_of[to]] < 0)
            places.words[to >> 6] |= (uint64_t)1 << (to & 63);
    }
    return places;
}

static const dp_dislodged *find_dislodged(const dp_board *board, int province) {
    for (int k = 0; k < board->n_dislodged; k++)
        if (dp_province(board->dislodged[k].unit) == province)
            return &board->dislodged[k];
    return NULL;
}

static void list_retreats(lister *l) {
    for (int province = 0; province < DP_PROVINCES; province++) {
        const dp_dislodged *d = find_dislodged(l->board, province);
        if (!d)
            continue;
        emit(l, (dp_parts){d->unit, 0, DP_DISBAND, -1, false});
        for (dp_set left = find_places(d, &l->standing); !dp_is_empty(left);)
            emit(l, (dp_parts){d->unit, 0, DP_RETREAT, (int8_t)dp_take(&left), false});
        end_group(l, province, d->owner);
    }
}

static void emit_builds(lister *l, int province) {
    for (int kind = 0; kind < 2; kind++)
        for (int at = dp_location_of[province]; at < DP_LOCATIONS && dp_province_of[at] == province; at++)
            if (dp_n_moves[kind][at])
                emit(l, (dp_parts){dp_unit_at(kind, at), 0, DP_BUILD, -1, false});
    emit(l, (dp_parts){255, 0, DP_WAIVE, -1, false});
}

static void list_adjustments(lister *l) {
    int8_t builder[DP_PROVINCES];
    memset(builder, -1, sizeof builder);
    for (int power = 0; power < DP_POWERS; power++) {
        uint8_t homes[4];
        int n = dp_adjustment(l->board, power) > 0 ? dp_open_homes(l->board, power, homes) : 0;
        while (n--)
            builder[homes[n]] = (int8_t)power;
    }
    for (int province = 0; province < DP_PROVINCES; province++) {
        int k = l->standing.at[province];
        if (builder[province] >= 0) {
            emit_builds(l, province);
            end_group(l, province, builder[province]);
        } else if (k >= 0 && dp_adjustment(l->board, l->board->units[k].owner) < 0) {
            emit(l, (dp_parts){l->board->units[k].unit, 0, DP_DISBAND, -1, false});
            end_group(l, province, l->board->units[k].owner);
        }
    }
}

void dp_list_orders(const dp_board *board, dp_order *orders, int capacity, dp_groups *groups) {
    lister l = {.board = board, .orders = orders, .capacity = capacity, .groups = groups};
    groups->n = groups->n_groups = 0;
    dp_find_units(board, &l.standing);
    if (board->kind == DP_MOVEMENT)
        list_movement(&l);
    else if (board->kind == DP_RETREATS)
        list_retreats(&l);
    else if (board->kind == DP_ADJUSTMENTS)
        list_adjustments(&l);
}

/* ---- one order ---------------------------------------------------------------------------------- */

static bool can_sail(const dp_standing *s, dp_unit army, int to) {
    int from = dp_province(army), end = dp_province_of[to];
    return !dp_is_fleet(army) && dp_province_kind[end] == DP_COAST && dp_location_of[end] == to && from != end
        && dp_is_connected(from, end, s->fleets);
}

/* Whether some route of fleets for this voyage needs the sea. */
static bool is_on_route(const dp_standing *s, dp_unit army, int to, int sea) {
    int start = dp_province(army);
    if (dp_is_fleet(army) || sea < 0)
        return false;
    for (int row = dp_first_route[start]; row < dp_first_route[start + 1]; row++) {
        uint32_t seas = dp_routes[row].seas;
        if (seas >> sea & 1 && !(seas & ~s->fleets) && dp_has(dp_routes[row].ends, to))
            return true;
    }
    return false;
}

static bool is_legal_support(const dp_standing *s, dp_parts p) {
    dp_set reach = DP_OF(dp_reach, p.unit);
    if (p.to < 0)
        return dp_has(reach, dp_location(p.other));
    return dp_has(reach, p.to)
        && (dp_has(DP_OF(dp_supportable, p.other), p.to) || can_sail(s, p.other, p.to));
}

static bool is_standing(const dp_board *board, const dp_standing *s, dp_unit unit) {
    int k = dp_is_unit(unit) ? s->at[dp_province(unit)] : -1;
    return k >= 0 && board->units[k].unit == unit;
}

static bool is_legal_movement(const dp_board *board, const dp_standing *s, int power, dp_parts p) {
    if (!is_standing(board, s, p.unit) || board->units[s->at[dp_province(p.unit)]].owner != power)
        return false;
    if (p.verb == DP_HOLD)
        return true;
    if (p.verb == DP_MOVE) {
        bool walks = !p.via && dp_has(DP_OF(dp_goals, p.unit), p.to);
        return walks || can_sail(s, p.unit, p.to);
    }
    if (!is_standing(board, s, p.other) || p.other == p.unit)
        return false;
    if (p.verb == DP_SUPPORT)
        return is_legal_support(s, p);
    return p.verb == DP_CONVOY && is_on_route(s, p.other, p.to, dp_sea_of[dp_province(p.unit)]);
}

static bool is_legal_retreat(const dp_board *board, const dp_standing *s, int power, dp_parts p) {
    const dp_dislodged *d = dp_is_unit(p.unit) ? find_dislodged(board, dp_province(p.unit)) : NULL;
    if (!d || d->unit != p.unit || d->owner != power)
        return false;
    return p.verb == DP_DISBAND || (p.verb == DP_RETREAT && dp_has(find_places(d, s), p.to));
}

static bool is_legal_adjustment(const dp_board *board, const dp_standing *s, int power, dp_parts p) {
    int more = dp_adjustment(board, power);
    uint8_t homes[4];
    int n = dp_open_homes(board, power, homes);
    if (p.verb == DP_WAIVE)
        return more > 0 && n > 0;
    if (p.verb == DP_DISBAND)
        return more < 0 && is_standing(board, s, p.unit)
            && board->units[s->at[dp_province(p.unit)]].owner == power;
    return p.verb == DP_BUILD && more > 0 && dp_is_unit(p.unit)
        && memchr(homes, dp_province(p.unit), (size_t)n) != NULL;
}

/* Whether an order has the parts of its verb and no others. */
static bool is_well_formed(dp_order order) {
    dp_parts p = dp_unpack_order(order);
    bool with_other = p.verb == DP_SUPPORT || p.verb == DP_CONVOY;
    bool needs_goal = p.verb == DP_MOVE || p.verb == DP_RETREAT || p.verb == DP_CONVOY;
    if (dp_pack_order(p) != order || p.to >= DP_LOCATIONS || (p.via && p.verb != DP_MOVE))
        return false;
    return (with_other || !p.other) && (needs_goal ? p.to >= 0 : p.to < 0 || p.verb == DP_SUPPORT)
        && (p.verb != DP_WAIVE || p.unit == 255);
}

bool dp_is_legal(const dp_board *board, int power, dp_order order) {
    dp_standing s;
    dp_parts p = dp_unpack_order(order);
    if (!is_well_formed(order))
        return false;
    dp_find_units(board, &s);
    if (board->kind == DP_MOVEMENT)
        return is_legal_movement(board, &s, power, p);
    if (board->kind == DP_RETREATS)
        return is_legal_retreat(board, &s, power, p);
    return board->kind == DP_ADJUSTMENTS && is_legal_adjustment(board, &s, power, p);
}
