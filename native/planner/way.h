/* How far it is to the exit of a level, from wherever Mario is: what a plan hopes for. */
#ifndef LUDUS_PLANNER_WAY_H
#define LUDUS_PLANNER_WAY_H

#include "solver/field.h"

typedef struct {
    sv_plan plan;
    sv_field field;
} planner_way;

/* False if memory ran out; planner_way_end is due all the same. */
bool planner_way_begin(planner_way *way, const pf_world *root);
void planner_way_end(planner_way *way);

/* Ticks from here to the exit, past walls, through locks and out of dead ends, if no creature stood in the way. */
float planner_way_ticks(const planner_way *way, const pf_world *world);

#endif
