/* Plans that differ a little from another. */
#include "diplomacy/bots/bots.h"

#include "common/random.h"

enum { TRIES = 20 };

/* Whether a plan has what an order supports. */
static bool is_supportable(const dp_plan *plan, dp_parts support) {
    for (int k = 0; k < plan->n; k++) {
        dp_parts other = dp_unpack_order(plan->orders[k]);
        if (other.unit == support.other)
            return support.to == (other.verb == DP_MOVE ? other.to : -1);
    }
    return false;
}

static bool is_sensible(const dp_plan *plan, dp_parts order) {
    if (order.via || order.verb == DP_CONVOY)
        return false;
    return order.verb != DP_SUPPORT || is_supportable(plan, order);
}

static void vary_order(const dp_order *legal, const dp_groups *groups, uint64_t *random, dp_plan *plan) {
    int k = random_below(random, plan->n), province = dp_province(dp_unpack_order(plan->orders[k]).unit), group = 0;
    while (group < groups->n_groups && groups->province[group] != province)
        group++;
    if (group == groups->n_groups || groups->end[group] > DP_USUAL_ORDERS)
        return;
    int first = group ? groups->end[group - 1] : 0;
    for (int try = 0; try < TRIES; try++) {
        dp_order order = legal[first + random_below(random, groups->end[group] - first)];
        if (is_sensible(plan, dp_unpack_order(order))) {
            plan->orders[k] = order;
            return;
        }
    }
}

void dp_vary_plan(const dp_order *legal, const dp_groups *groups, uint64_t *random, dp_plan *plan) {
    for (int changes = 1 + random_below(random, 2); plan->n && changes; changes--)
        vary_order(legal, groups, random, plan);
}
