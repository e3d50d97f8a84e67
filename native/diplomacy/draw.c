/* Orders drawn at random, each of a unit's legal ones as likely as any other. */
#include "common/random.h"
#include "diplomacy/diplomacy.h"

static void shuffle(uint8_t *items, int n, uint64_t *random) {
    for (int k = n - 1; k > 0; k--) {
        int other = random_below(random, k + 1);
        uint8_t kept = items[k];
        items[k] = items[other];
        items[other] = kept;
    }
}

int dp_draw_orders(const dp_board *board, uint64_t *random, dp_order *orders) {
    dp_order listed[DP_USUAL_ORDERS];
    dp_groups groups;
    uint8_t turn[DP_PROVINCES];
    int left[DP_POWERS], n = 0;
    dp_list_orders(board, listed, DP_USUAL_ORDERS, &groups);
    for (int power = 0; power < DP_POWERS; power++) {
        int more = dp_adjustment(board, power);
        left[power] = board->kind != DP_ADJUSTMENTS ? DP_PROVINCES : more < 0 ? -more : more;
    }
    for (int k = 0; k < groups.n_groups; k++)
        turn[k] = (uint8_t)k;
    if (board->kind == DP_ADJUSTMENTS)
        shuffle(turn, groups.n_groups, random);
    for (int k = 0; k < groups.n_groups; k++) {
        int first = turn[k] ? groups.end[turn[k] - 1] : 0, end = groups.end[turn[k]];
        if (end > DP_USUAL_ORDERS || !left[groups.owner[turn[k]]])
            continue;
        int waives = dp_unpack_order(listed[end - 1]).verb == DP_WAIVE;
        left[groups.owner[turn[k]]]--;
        orders[n++] = listed[first + random_below(random, end - first - waives)];
    }
    return n;
}
