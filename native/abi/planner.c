/* Plans for sticky actions. */
#include "planner/decision.h"
#include "abi/internal.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)STICKY_FAULTS == (int)LUDUS_PLAN_FAULTS && (int)STICKY_DECISIONS == (int)LUDUS_PLAN_DECISIONS,
               "the header tells how long plans are");

enum { MOST_NODES = 100000, MOST_SKIP = 16, MOST_REST = 64 };

struct ludus_planner {
    planner_way way;
    ludus_world *start; /* held for its level */
};

int32_t ludus_planner_begin(const ludus_world *world, ludus_planner **planner) {
    ludus_planner *made = calloc(1, sizeof *made);
    if (!made)
        return abi_no_memory();
    int32_t error = ludus_world_clone(world, &made->start);
    if (!error && !planner_way_begin(&made->way, made->start->core))
        error = abi_no_memory();
    if (error)
        ludus_planner_free(made);
    else
        *planner = made;
    return error;
}

void ludus_planner_free(ludus_planner *planner) {
    if (!planner)
        return;
    planner_way_end(&planner->way);
    ludus_world_free(planner->start);
    free(planner);
}

double ludus_planner_ticks(const ludus_planner *planner, const ludus_world *world) {
    return world->level->core == planner->start->level->core ? (double)planner_way_ticks(&planner->way, world->core) : -1;
}

static int32_t check_options(const ludus_world *world, const ludus_plan_options *o) {
    if (o->skip < 1 || o->skip > MOST_SKIP || o->nodes < 1 || o->nodes > MOST_NODES)
        return abi_fail(LUDUS_BAD_OPTION, "skip %d and nodes %d are out of range: give 1 to %d and 1 to %d",
                        (int)o->skip, (int)o->nodes, MOST_SKIP, MOST_NODES);
    if (o->rest < 0 || o->rest > MOST_REST)
        return abi_fail(LUDUS_BAD_OPTION, "rest %d is out of range: give 0 to %d", (int)o->rest, MOST_REST);
    if (o->faults < 0 || o->faults > LUDUS_PLAN_FAULTS || o->late < 0 || o->follow < 0)
        return abi_fail(LUDUS_BAD_OPTION, "%d faults, %d ticks late, followed for %d decisions, are out of range",
                        (int)o->faults, (int)o->late, (int)o->follow);
    if (!(o->sticky >= 0 && o->sticky < 1))
        return abi_fail(LUDUS_BAD_OPTION, "sticky %g is no probability from 0 up to 1", (double)o->sticky);
    return abi_check_action(world->core, o->pressed);
}

int32_t ludus_planner_plan(const ludus_planner *planner, const ludus_world *world, const ludus_plan_options *given,
                           ludus_plan *result) {
    ludus_plan_options o;
    int32_t error = abi_read_options(&o, sizeof o, given);
    if (error || (error = check_options(world, &o)))
        return error;
    if (world->level->core != planner->start->level->core)
        return abi_fail(LUDUS_BAD_OPTION, "the planner is of another level: begin one for each");
    decision_terms terms = {
        .search = {.skip = o.skip, .nodes = o.nodes, .rest = o.rest, .faults = o.faults, .late = o.late,
                   .follow = o.follow, .fault = o.fault, .greed = o.greed, .wound = o.wound, .death = o.death},
        .pressed = o.pressed, .budget = o.budget, .sticky = o.sticky, .horizon = o.horizon, .stall = o.stall,
        .wait = o.wait};
    sticky_plan plan;
    if (!decide(&planner->way, world->core, &terms, &plan))
        return abi_no_memory();
    *result = (ludus_plan){(int32_t)plan.verdict, plan.nodes, plan.cost, (size_t)plan.n_decisions, {0}};
    memcpy(result->decisions, plan.decisions, sizeof plan.decisions);
    return LUDUS_OK;
}
