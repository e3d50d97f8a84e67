/* The distance field of the solver, as planners read it. */
#include "planner/way.h"

bool planner_way_begin(planner_way *way, const pf_world *root) {
    *way = (planner_way){0};
    return sv_plan_begin(&way->plan, root) && sv_field_begin(&way->field, &way->plan, root);
}

void planner_way_end(planner_way *way) {
    sv_field_end(&way->field);
    sv_plan_end(&way->plan);
}

float planner_way_ticks(const planner_way *way, const pf_world *world) {
    int stage = way->plan.n_stages > 1 ? sv_plan_stage(&way->plan, world) : 0;
    return (float)sv_field_distance(&way->field, world, stage) / FIELD_TICK;
}
