/* Plans for sticky actions. */
#include "planner/sticky_search.h"
#include "abi/internal.h"

#include <string.h>

_Static_assert((int)STICKY_OUTCOMES == (int)LUDUS_PLAN_OUTCOMES && (int)STICKY_DECISIONS == (int)LUDUS_PLAN_DECISIONS,
               "the header tells how long plans are");

enum { MOST_NODES = 100000, MOST_SKIP = 16, MOST_REST = 64 };

static int32_t check_options(const ludus_world *world, const ludus_plan_options *o) {
    if (o->skip < 1 || o->skip > MOST_SKIP || o->nodes < 1 || o->nodes > MOST_NODES)
        return abi_fail(LUDUS_BAD_OPTION, "skip %d and nodes %d are out of range: give 1 to %d and 1 to %d",
                        (int)o->skip, (int)o->nodes, MOST_SKIP, MOST_NODES);
    if (o->rest < 0 || o->rest > MOST_REST)
        return abi_fail(LUDUS_BAD_OPTION, "rest %d is out of range: give 0 to %d", (int)o->rest, MOST_REST);
    if (!o->late || o->n_outcomes < 1 || o->n_outcomes > LUDUS_PLAN_OUTCOMES)
        return abi_fail(LUDUS_BAD_OPTION, "%zu outcomes are out of range: give 1 to %d", o->n_outcomes,
                        LUDUS_PLAN_OUTCOMES);
    return abi_check_action(world->core, o->pressed);
}

int32_t ludus_world_plan(const ludus_world *world, const ludus_plan_options *given, ludus_plan *result) {
    ludus_plan_options o;
    int32_t error = abi_read_options(&o, sizeof o, given);
    if (error || (error = check_options(world, &o)))
        return error;
    sticky_terms terms = {.skip = o.skip, .pressed = o.pressed, .nodes = o.nodes, .horizon = o.horizon,
                          .rest = o.rest, .greed = o.greed, .n_outcomes = (int32_t)o.n_outcomes};
    for (size_t k = 0; k < o.n_outcomes; k++)
        terms.late[k] = (sticky_late){o.late[2 * k], o.late[2 * k + 1]};
    sticky_plan plan;
    if (!sticky_search(world->core, &terms, &plan))
        return abi_no_memory();
    *result = (ludus_plan){(int32_t)plan.verdict, plan.nodes, (size_t)plan.n_decisions, {0}};
    memcpy(result->decisions, plan.decisions, sizeof plan.decisions);
    return LUDUS_OK;
}
