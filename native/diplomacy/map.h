/* The standard map as tables, which map_tables.c holds. Locations are provinces and their coasts, sorted. */
#ifndef LUDUS_DIPLOMACY_MAP_H
#define LUDUS_DIPLOMACY_MAP_H

#include "diplomacy/diplomacy.h"

enum { DP_SEAS = 19, DP_ROUTES = 892, DP_MOST_MOVES = 12 };
enum dp_province_kind { DP_LAND, DP_COAST, DP_SEA };

/* A set of locations. */
typedef struct {
    uint64_t words[2];
} dp_set;

/* A way over the sea from a coast: the seas it needs, and the coasts it leads to. */
typedef struct {
    uint32_t seas;
    dp_set ends;
} dp_route;

extern const char *const dp_power_names[DP_POWERS];
extern const char dp_location_names[DP_LOCATIONS][8];
extern const uint8_t dp_province_of[DP_LOCATIONS], dp_location_of[DP_PROVINCES];
extern const uint8_t dp_province_kind[DP_PROVINCES], dp_is_centre[DP_PROVINCES];
extern const uint8_t dp_centre_order[DP_CENTRES]; /* in which unowned centres are taken */

/* By kind of unit and location: moves in the order of retreats; where it can go; the provinces it can
 * support into with all their coasts; the moves that a support can name. */
extern const uint8_t dp_n_moves[2][DP_LOCATIONS], dp_moves[2][DP_LOCATIONS][DP_MOST_MOVES];
extern const dp_set dp_goals[2][DP_LOCATIONS], dp_reach[2][DP_LOCATIONS], dp_supportable[2][DP_LOCATIONS];

extern const uint8_t dp_n_homes[DP_POWERS], dp_homes[DP_POWERS][4];
extern const dp_unit dp_start_units[DP_POWERS][4];

extern const int8_t dp_sea_of[DP_PROVINCES];    /* the sea's number, or -1 */
extern const uint32_t dp_beach[DP_PROVINCES];   /* the seas next to a province */
extern const uint32_t dp_sea_neighbours[DP_SEAS];
extern const dp_route dp_routes[DP_ROUTES];     /* by where they start */
extern const uint16_t dp_first_route[DP_PROVINCES + 1];

extern const uint8_t dp_steps[DP_PROVINCES][DP_PROVINCES];       /* over land and sea alike */
extern const uint8_t dp_fleet_steps[DP_LOCATIONS][DP_PROVINCES]; /* of a fleet */

/* ---- units -------------------------------------------------------------------------------------- */

static inline bool dp_is_fleet(dp_unit unit) { return unit & DP_FLEET; }
static inline int dp_kind_of(dp_unit unit) { return unit >> 7; }
static inline int dp_location(dp_unit unit) { return unit & (DP_FLEET - 1); }
static inline int dp_province(dp_unit unit) { return dp_province_of[dp_location(unit)]; }
static inline dp_unit dp_unit_at(int kind, int location) { return (dp_unit)(kind << 7 | location); }

#define DP_OF(table, unit) (table)[dp_kind_of(unit)][dp_location(unit)]

/* ---- sets --------------------------------------------------------------------------------------- */

static inline bool dp_has(dp_set set, int k) { return set.words[k >> 6] >> (k & 63) & 1; }
static inline dp_set dp_both(dp_set a, dp_set b) {
    return (dp_set){{a.words[0] & b.words[0], a.words[1] & b.words[1]}};
}
static inline dp_set dp_either(dp_set a, dp_set b) {
    return (dp_set){{a.words[0] | b.words[0], a.words[1] | b.words[1]}};
}
static inline bool dp_is_empty(dp_set set) { return !(set.words[0] | set.words[1]); }

static inline int dp_lowest_bit(uint64_t word) {
#if defined(__GNUC__)
    return __builtin_ctzll(word);
#else
    int k = 0;
    for (; !(word & 1); word >>= 1)
        k++;
    return k;
#endif
}

/* Takes the least location out of a set that is not empty. */
static inline int dp_take(dp_set *set) {
    int word = !set->words[0];
    int bit = dp_lowest_bit(set->words[word]);
    set->words[word] &= set->words[word] - 1;
    return 64 * word + bit;
}

/* ---- the sea ------------------------------------------------------------------------------------ */

/* Whether fleets in these seas can pass an army on from one coast to another. */
static inline bool dp_is_connected(int from, int to, uint32_t seas) {
    uint32_t reached = dp_beach[from] & seas, done = 0;
    while (reached & ~done) {
        if (reached & dp_beach[to])
            return true;
        int sea = dp_lowest_bit(reached & ~done);
        done |= 1u << sea;
        reached |= seas & dp_sea_neighbours[sea];
    }
    return false;
}

#endif
