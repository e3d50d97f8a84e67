/* Diplomacy: the map, and orders as texts. */
#include "abi/diplomacy.h"

static bool is_below(int32_t number, int32_t end) { return number >= 0 && number < end; }

const char *ludus_diplomacy_power(int32_t power) {
    return is_below(power, DP_POWERS) ? dp_power_names[power] : NULL;
}
const char *ludus_diplomacy_location(int32_t location) {
    return is_below(location, DP_LOCATIONS) ? dp_location_names[location] : NULL;
}
int32_t ludus_diplomacy_province(int32_t location) {
    return is_below(location, DP_LOCATIONS) ? dp_province_of[location] : -1;
}
int32_t ludus_diplomacy_province_kind(int32_t province) {
    return is_below(province, DP_PROVINCES) ? dp_province_kind[province] + 4 * dp_is_centre[province] : -1;
}

size_t ludus_diplomacy_moves(int32_t unit, int32_t *locations, size_t capacity) {
    if (!dp_is_unit(unit))
        return 0;
    size_t n = DP_OF(dp_n_moves, (dp_unit)unit);
    for (size_t k = 0; k < n && k < capacity; k++)
        locations[k] = DP_OF(dp_moves, (dp_unit)unit)[k];
    return n;
}

size_t ludus_diplomacy_homes(int32_t power, int32_t *provinces, size_t capacity) {
    size_t n = is_below(power, DP_POWERS) ? dp_n_homes[power] : 0;
    for (size_t k = 0; k < n && k < capacity; k++)
        provinces[k] = dp_homes[power][k];
    return n;
}

int64_t ludus_diplomacy_read_order(const char *text) { return dp_read_order(text); }
int32_t ludus_diplomacy_read_unit(const char *text) { return dp_read_unit(text); }

static bool is_writable(uint32_t order) {
    dp_parts p = dp_unpack_order(order);
    bool with_other = p.verb == DP_SUPPORT || p.verb == DP_CONVOY;
    return dp_pack_order(p) == order && p.to < DP_LOCATIONS
        && (p.verb == DP_WAIVE || (dp_is_unit(p.unit) && (!with_other || dp_is_unit(p.other))));
}

int32_t ludus_diplomacy_write_order(uint32_t order, char *text) {
    *text = 0;
    return is_writable(order) ? dp_write_order(order, text) : 0;
}

int32_t ludus_diplomacy_write_unit(int32_t unit, char *text) {
    *text = 0;
    return dp_is_unit(unit) ? dp_write_unit((dp_unit)unit, text) : 0;
}
