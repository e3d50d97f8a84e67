/* Plans for sticky actions. */
#include "planner/decision.h"
#include "abi/internal.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)STICKY_FAULTS == (int)LUDUS_PLAN_FAULTS && (int)STICKY_DECISIONS == (int)LUDUS_PLAN_DECISIONS,
               "the header tells how long plans are");

enum { MOST_NODES = 100000, MOST_SKIP = 16, MOST_REST = 64, MOST_TICKS = 1000000, MOST_GREED = 10 };

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
    bool same = world->level->core == planner->start->level->core;
    return same ? (double)planner_way_ticks(&planner->way, world->core) : -1;
}

/* Whether all of them are numbers from 0 to one that costs can hold. */
static bool are_amounts(const float *numbers, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (!(numbers[k] >= 0 && numbers[k] <= (float)MOST_TICKS))
            return false;
    return true;
}

static int32_t check_numbers(const ludus_plan_options *o) {
    const float ticks[] = {o->horizon, o->wound, o->stall, o->wait, o->death};
    if (!are_amounts(ticks, sizeof ticks / sizeof *ticks) || !(o->greed >= 0 && o->greed <= MOST_GREED))
        return abi_fail(LUDUS_BAD_OPTION, "ticks or greed are out of range: give 0 to %d and 0 to %d", MOST_TICKS,
                        MOST_GREED);
    if (!(o->sticky >= 0 && o->sticky < 1) || !(o->fault >= 0 && o->fault <= 1))
        return abi_fail(LUDUS_BAD_OPTION, "sticky %g or fault %g is no probability", (double)o->sticky,
                        (double)o->fault);
    return LUDUS_OK;
}

static int32_t check_options(const ludus_world *world, const ludus_plan_options *o) {
    if (o->skip < 1 || o->skip > MOST_SKIP || o->nodes < 1 || o->nodes > MOST_NODES)
        return abi_fail(LUDUS_BAD_OPTION, "skip %d and nodes %d are out of range: give 1 to %d and 1 to %d",
                        (int)o->skip, (int)o->nodes, MOST_SKIP, MOST_NODES);
    if (o->rest < 0 || o->rest > MOST_REST || o->follow < 0 || o->follow > MOST_REST)
        return abi_fail(LUDUS_BAD_OPTION, "rest %d and follow %d are out of range: give 0 to %d", (int)o->rest,
                        (int)o->follow, MOST_REST);
    if (o->faults < 0 || o->faults > LUDUS_PLAN_FAULTS || o->late < 0 || o->late > o->skip)
        return abi_fail(LUDUS_BAD_OPTION, "%d faults %d ticks late are out of range: give 0 to %d and 0 to %d",
                        (int)o->faults, (int)o->late, LUDUS_PLAN_FAULTS, (int)o->skip);
    int32_t error = check_numbers(o);
    return error ? error : abi_check_action(world->core, o->pressed);
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
    if (!planner_decide(&planner->way, world->core, &terms, &plan))
        return abi_no_memory();
    *result = (ludus_plan){(int32_t)plan.verdict, plan.nodes, plan.cost, (size_t)plan.n_decisions, {0}};
    memcpy(result->decisions, plan.decisions, sizeof plan.decisions);
    return LUDUS_OK;
}
