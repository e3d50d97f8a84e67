/* What places are worth: the centres there, and less and less those farther away. */
#include "diplomacy/bots/bots.h"

#include <string.h>

enum { CROWD = 100 };
static const uint16_t SPRING[DP_SPREADS] = {100, 1000, 30, 10, 6, 5, 4, 3, 2, 1};
static const uint16_t FALL[DP_SPREADS] = {1000, 100, 30, 10, 6, 5, 4, 3, 2, 1};

/* The bounds of all values leave room in 32 bits: 34 centres weigh 1308 at most, times 100, and a spread
 * grows by 12/5. */
typedef int32_t lanes[DP_LANES];

typedef struct {
    uint8_t near[DP_PROVINCES][DP_LANES]; /* each power's units in or next to a province */
    int size[DP_POWERS + 1], prize[DP_POWERS + 1];
} sight;

const dp_temper dp_tempers[DP_TEMPERS] = {
    [DP_BALANCED] = {{70, 60}, {30, 40}, 50, 500, false, false},
    [DP_AGGRESSIVE] = {{100, 100}, {60, 100}, 10, 800, true, true},
};

/* ---- what is on the board ----------------------------------------------------------------------- */

static void count_units(const dp_board *board, sight *s) {
    memset(s->near, 0, sizeof s->near);
    for (int k = 0; k < board->n_units; k++) {
        dp_unit unit = board->units[k].unit;
        int owner = board->units[k].owner, last = dp_province(unit);
        s->near[last][owner]++;
        for (int move = 0; move < DP_OF(dp_n_moves, unit); move++) {
            int province = dp_province_of[DP_OF(dp_moves, unit)[move]];
            s->near[province][owner] += province != last; /* coasts of one province follow each other */
            last = province;
        }
    }
}

static int square(int n) { return n * n + 4 * n + 16; }

static void weigh_powers(const dp_board *board, const dp_temper *temper, sight *s) {
    int unowned = DP_CENTRES;
    for (int power = 0; power < DP_POWERS; power++) {
        int n = board->n_centres[power], missing = n < DP_TO_WIN ? DP_TO_WIN - n : 0;
        unowned -= n;
        s->size[power] = square(n);
        s->prize[power] = temper->hunts_weak ? square(missing) : square(n);
    }
    s->size[DP_POWERS] = 0;
    s->prize[DP_POWERS] = square(temper->hunts_weak ? DP_TO_WIN : unowned);
}

static void find_owners(const dp_board *board, dp_worth *worth) {
    memset(worth->owner, -1, sizeof worth->owner);
    for (int k = 0; k < DP_CENTRES; k++)
        worth->owner[dp_centre_order[k]] = DP_POWERS;
    const uint8_t *centre = board->centres;
    for (int power = 0; power < DP_POWERS; power++)
        for (int k = 0; k < board->n_centres[power]; k++)
            worth->owner[*centre++] = (int8_t)power;
}

/* What an own centre is worth: as much as the largest power that can come there. */
static int threat(const sight *s, int province, int power) {
    int most = 0;
    for (int other = 0; other < DP_POWERS; other++)
        if (other != power && s->near[province][other] && s->size[other] > most)
            most = s->size[other];
    return most;
}

static void find_rivals(const sight *s, dp_worth *worth) {
    for (int province = 0; province < DP_PROVINCES; province++) {
        uint8_t most = 0, next = 0;
        for (int power = 0; power < DP_POWERS; power++) {
            uint8_t n = s->near[province][power];
            next = n > most ? most : n > next ? n : next;
            most = n > most ? n : most;
        }
        for (int power = 0; power < DP_POWERS; power++)
            worth->rivals[province][power] = s->near[province][power] == most ? next : most;
    }
}

/* ---- spreading ---------------------------------------------------------------------------------- */

static void add(lanes sum, const lanes other) {
    for (int lane = 0; lane < DP_LANES; lane++)
        sum[lane] += other[lane];
}

static void subtract_lesser(lanes sum, const lanes one, const lanes other) {
    for (int lane = 0; lane < DP_LANES; lane++)
        sum[lane] -= one[lane] < other[lane] ? one[lane] : other[lane];
}

/* A fifth of a place's worth and that of its neighbours, the better coast of each. */
static void spread_to(int kind, int location, lanes (*from)[DP_LOCATIONS], lanes to) {
    const uint8_t *moves = dp_moves[kind][location];
    lanes sum;
    memcpy(sum, from[kind][location], sizeof sum);
    for (int move = 0; move < dp_n_moves[kind][location]; move++)
        add(sum, from[kind][moves[move]]);
    for (int move = 1; kind && move < dp_n_moves[kind][location]; move++)
        if (dp_province_of[moves[move]] == dp_province_of[moves[move - 1]])
            subtract_lesser(sum, from[kind][moves[move]], from[kind][moves[move - 1]]);
    for (int lane = 0; lane < DP_LANES; lane++)
        to[lane] = (int32_t)((uint32_t)sum[lane] / 5);
}

static void spread(lanes (*from)[DP_LOCATIONS], lanes (*to)[DP_LOCATIONS], int weight, dp_worth *worth) {
    for (int kind = 0; kind < 2; kind++)
        for (int at = 0; at < DP_LOCATIONS; at++)
            if (dp_n_moves[kind][at]) {
                spread_to(kind, at, from, to[kind][at]);
                for (int lane = 0; lane < DP_LANES; lane++)
                    worth->values[kind][at][lane] += weight * to[kind][at][lane];
            }
}

/* What a province alone is worth to each power: its centre in `first`, and who is near in `crowd`. */
static void weigh_province(const dp_board *board, const sight *s, const dp_temper *temper, int province,
                           const dp_worth *worth, lanes first, lanes crowd) {
    int fall = board->season == DP_FALL, owner = worth->owner[province];
    for (int power = 0; power < DP_POWERS; power++) {
        int attack = owner >= 0 && owner != power ? s->prize[owner] : 0;
        int defence = owner == power ? threat(s, province, power) : 0;
        first[power] = attack * temper->attack[fall] + defence * temper->defence[fall];
        crowd[power] = CROWD * (board->season == DP_WINTER
                                    ? defence
                                    : s->near[province][power] - worth->rivals[province][power]);
    }
    first[DP_POWERS] = crowd[DP_POWERS] = 0;
}

void dp_find_worth(const dp_board *board, const dp_temper *temper, int spreads, dp_worth *worth) {
    sight s;
    lanes near[2][DP_LOCATIONS], far[2][DP_LOCATIONS], first[DP_PROVINCES], crowd[DP_PROVINCES];
    const uint16_t *weights = board->season == DP_SPRING ? SPRING : FALL;
    count_units(board, &s);
    weigh_powers(board, temper, &s);
    find_owners(board, worth);
    find_rivals(&s, worth);
    for (int province = 0; province < DP_PROVINCES; province++)
        weigh_province(board, &s, temper, province, worth, first[province], crowd[province]);
    for (int kind = 0; kind < 2; kind++)
        for (int at = 0; at < DP_LOCATIONS; at++) {
            int province = dp_province_of[at];
            memcpy(near[kind][at], first[province], sizeof(lanes));
            for (int lane = 0; lane < DP_LANES; lane++)
                worth->values[kind][at][lane] = weights[0] * first[province][lane] + crowd[province][lane];
        }
    for (int depth = 1; depth < spreads; depth += 2) {
        spread(near, far, weights[depth], worth);
        if (depth + 1 < spreads)
            spread(far, near, weights[depth + 1], worth);
    }
}
