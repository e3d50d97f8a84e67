/* Diplomacy: boards and what is legal on them. */
#include "abi/diplomacy.h"
#include "diplomacy/bots/bots.h"

#include <stdlib.h>
#include <string.h>

const char *ludus_diplomacy_rules_name(void) { return DP_RULES; }
int32_t ludus_diplomacy_rules_version(void) { return DP_VERSION; }
int32_t ludus_diplomacy_digest_version(void) { return DP_DIGEST_VERSION; }

/* ---- boards ----------------------------------------------------------------------------------- */

static int32_t check_time(int32_t year, int32_t options) {
    if (year < 0 || year > LAST_YEAR)
        return abi_fail(LUDUS_BAD_OPTION, "there is no year %d: give 0 to %d", (int)year, LAST_YEAR);
    if (options < 0 || options > ALL_OPTIONS)
        return abi_fail(LUDUS_BAD_OPTION, "options %d are unknown: give 0 to %d", (int)options, ALL_OPTIONS);
    return LUDUS_OK;
}

int32_t ludus_diplomacy_begin(int32_t year, int32_t options, ludus_diplomacy **board) {
    int32_t error = check_time(year, options);
    if (error)
        return error;
    ludus_diplomacy *made = malloc(sizeof *made);
    if (!made)
        return abi_no_memory();
    dp_begin(&made->core, year, options);
    *board = made;
    return LUDUS_OK;
}

int32_t ludus_diplomacy_clone(const ludus_diplomacy *board, ludus_diplomacy **clone) {
    ludus_diplomacy *made = malloc(sizeof *made);
    if (!made)
        return abi_no_memory();
    *made = *board;
    *clone = made;
    return LUDUS_OK;
}

void ludus_diplomacy_copy(ludus_diplomacy *to, const ludus_diplomacy *from) { *to = *from; }
void ludus_diplomacy_free(ludus_diplomacy *board) { free(board); }

size_t ludus_diplomacy_save(const ludus_diplomacy *board, void *bytes, size_t capacity) {
    if (capacity >= dp_saved_size())
        dp_save(&board->core, bytes);
    return dp_saved_size();
}

int32_t ludus_diplomacy_load(ludus_diplomacy *board, const void *bytes, size_t size) {
    const char *reason = dp_check_saved(bytes, size);
    if (reason)
        return abi_fail(LUDUS_BAD_OPTION, "these %zu bytes are no state of a board: %s: give what a board has "
                        "saved", size, reason);
    dp_load(&board->core, bytes);
    return LUDUS_OK;
}

int32_t ludus_diplomacy_clear(ludus_diplomacy *board, int32_t year, int32_t season, int32_t kind,
                              int32_t options, int32_t victors) {
    int32_t error = check_time(year, options);
    if (error)
        return error;
    if (season < DP_SPRING || season > DP_WINTER || kind < DP_MOVEMENT || kind > DP_OVER
        || (season == DP_WINTER) != (kind >= DP_ADJUSTMENTS) || victors < 0 || victors >> DP_POWERS)
        return abi_fail(LUDUS_BAD_OPTION, "season %d with kind %d is no phase: see ludus_diplomacy_kind",
                        (int)season, (int)kind);
    dp_clear(&board->core, year, (enum dp_season)season, (enum dp_kind)kind);
    board->core.options = (uint8_t)options;
    board->core.victors = (uint8_t)victors;
    return LUDUS_OK;
}

static bool add_part(dp_board *board, int32_t part, int power, int32_t value) {
    bool is_unit = dp_is_unit(value), is_province = value >= 0 && value < DP_PROVINCES;
    switch (part) {
    case LUDUS_DIPLOMACY_UNIT: return is_unit && dp_add_unit(board, power, (dp_unit)value);
    case LUDUS_DIPLOMACY_DISLODGED_UNIT: return is_unit && dp_add_dislodged(board, power, (dp_unit)value);
    case LUDUS_DIPLOMACY_DESTROYED: return is_unit && dp_add_destroyed(board, power, (dp_unit)value);
    case LUDUS_DIPLOMACY_PLACE: return board->n_dislodged && dp_add_place(board, value);
    case LUDUS_DIPLOMACY_CENTRE: return is_province && dp_add_centre(board, power, value);
    case LUDUS_DIPLOMACY_INFLUENCE: return is_province && dp_add_influence(board, power, value);
    default: return false;
    }
}

int32_t ludus_diplomacy_add(ludus_diplomacy *board, int32_t part, int32_t power, int32_t value) {
    if (power >= 0 && power < DP_POWERS && add_part(&board->core, part, power, value))
        return LUDUS_OK;
    return abi_fail(LUDUS_BAD_OPTION, "power %d cannot have %d as part %d: there is no such place, or it is taken",
                    (int)power, (int)value, (int)part);
}

/* ---- looking ---------------------------------------------------------------------------------- */

static void describe_units(const dp_board *b, ludus_diplomacy_facts *facts) {
    for (int k = 0; k < b->n_units; k++) {
        facts->owners[k] = b->units[k].owner;
        facts->units[k] = b->units[k].unit;
    }
    for (int k = 0; k < b->n_destroyed; k++) {
        facts->destroyed_owners[k] = b->destroyed[k].owner;
        facts->destroyed[k] = b->destroyed[k].unit;
    }
    for (int k = 0; k < b->n_dislodged; k++) {
        facts->dislodged_owners[k] = b->dislodged[k].owner;
        facts->dislodged[k] = b->dislodged[k].unit;
        facts->places[k] = b->dislodged[k].places;
    }
}

static int limited_builds(const dp_board *b, int power) {
    uint8_t homes[4];
    int more = dp_adjustment(b, power), open = more > 0 ? dp_open_homes(b, power, homes) : 0;
    return more > open ? open : more;
}

void ludus_diplomacy_describe(const ludus_diplomacy *board, ludus_diplomacy_facts *facts) {
    const dp_board *b = &board->core;
    memset(facts, 0, sizeof *facts);
    facts->year = b->year;
    facts->season = b->season;
    facts->kind = b->kind;
    facts->options = b->options;
    facts->victors = b->victors;
    facts->n_units = b->n_units;
    facts->n_dislodged = b->n_dislodged;
    facts->n_destroyed = b->n_destroyed;
    for (int power = 0; power < DP_POWERS; power++) {
        facts->n_centres[power] = b->n_centres[power];
        facts->n_influence[power] = b->n_influence[power];
        facts->builds[power] = limited_builds(b, power);
    }
    memcpy(facts->centres, b->centres, sizeof b->centres);
    memcpy(facts->influence, b->influence, sizeof b->influence);
    describe_units(b, facts);
}

uint64_t ludus_diplomacy_hash(const ludus_diplomacy *board) { return dp_hash(&board->core); }

size_t ludus_diplomacy_open_homes(const ludus_diplomacy *board, int32_t power, int32_t *provinces,
                                  size_t capacity) {
    uint8_t homes[4];
    if (power < 0 || power >= DP_POWERS || dp_adjustment(&board->core, power) <= 0)
        return 0;
    size_t n = (size_t)dp_open_homes(&board->core, power, homes);
    for (size_t k = 0; k < n && k < capacity; k++)
        provinces[k] = homes[k];
    return n;
}

size_t ludus_diplomacy_orders(const ludus_diplomacy *board, ludus_diplomacy_groups *groups, uint32_t *orders,
                              size_t capacity) {
    dp_groups g;
    dp_list_orders(&board->core, orders, (int)abi_least(capacity, DP_MOST_ORDERS), &g);
    groups->n_groups = g.n_groups;
    memcpy(groups->provinces, g.province, sizeof g.province);
    memcpy(groups->owners, g.owner, sizeof g.owner);
    memcpy(groups->ends, g.end, sizeof g.end);
    return (size_t)g.n;
}

int32_t ludus_diplomacy_is_legal(const ludus_diplomacy *board, int32_t power, uint32_t order) {
    return power >= 0 && power < DP_POWERS && dp_is_legal(&board->core, power, order);
}

/* ---- playing ---------------------------------------------------------------------------------- */

static int32_t check_running(const dp_board *board) {
    return board->kind == DP_OVER ? abi_fail(LUDUS_EPISODE_OVER, "the game is over: start another") : LUDUS_OK;
}

static int32_t check_order(const dp_board *board, int power, uint32_t order) {
    char text[DP_TEXT];
    if (dp_is_legal(board, power, order))
        return LUDUS_OK;
    ludus_diplomacy_write_order(order, text);
    return abi_fail(LUDUS_BAD_ACTION, "%s may not order '%s' now: give one of its legal orders",
                    dp_power_names[power], text);
}

static int32_t write_results(const dp_results *from, ludus_diplomacy_result *to) {
    for (int k = 0; k < from->n; k++) {
        to[k].unit = from->each[k].unit;
        to[k].n = from->each[k].n;
        memcpy(to[k].codes, from->each[k].codes, sizeof from->each[k].codes);
    }
    return from->n;
}

int32_t ludus_diplomacy_step(ludus_diplomacy *board, const uint32_t *orders, const int32_t *counts,
                             ludus_diplomacy_result *results) {
    dp_results made;
    int32_t error = check_running(&board->core), n = 0;
    for (int power = 0; !error && power < DP_POWERS; power++)
        for (int k = 0; !error && k < counts[power]; k++)
            error = check_order(&board->core, power, orders[n++]);
    if (error)
        return error;
    dp_step(&board->core, orders, n, results ? &made : NULL);
    return results ? write_results(&made, results) : 0;
}

int32_t ludus_diplomacy_draw(const ludus_diplomacy *board, uint64_t *random, uint32_t *orders) {
    return dp_draw_orders(&board->core, random, orders);
}

int32_t ludus_diplomacy_choose(const ludus_diplomacy *board, int32_t bot, int32_t power, int32_t winters,
                               uint64_t *random, uint32_t *orders) {
    if (bot < 0 || bot >= DP_BOTS)
        return abi_fail(LUDUS_BAD_OPTION, "there is no bot %d: give 0 to %d", (int)bot, DP_BOTS - 1);
    if (power < 0 || power >= DP_POWERS)
        return abi_fail(LUDUS_BAD_OPTION, "there is no power %d: give 0 to %d", (int)power, DP_POWERS - 1);
    if (winters < 1 || winters > LUDUS_DIPLOMACY_WINTERS)
        return abi_fail(LUDUS_BAD_OPTION, "cannot look %d winters ahead: give 1 to %d", (int)winters,
                        LUDUS_DIPLOMACY_WINTERS);
    return dp_choose_orders(&board->core, (enum dp_bot)bot, power, winters, random, orders);
}

int32_t ludus_diplomacy_play(ludus_diplomacy *board, uint64_t *random, int32_t last_year) {
    dp_board *b = &board->core;
    dp_order orders[DP_PROVINCES];
    int32_t phases = 0;
    for (; b->kind != DP_OVER && b->year <= last_year; phases++)
        dp_step(b, orders, dp_draw_orders(b, random, orders), NULL);
    return phases;
}
