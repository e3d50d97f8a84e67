/* How far it is to the exit: ticks from every cell and phase of a jump, in every stage of a plan.
 *
 * The field knows walls, jumps and falls by the tile, and nothing of creatures; it is what the search
 * hopes for, not a bound. What Mario can only do with luck (bouncing off a creature, being let through
 * bricks or a lock) costs extra.
 */
#ifndef LUDUS_SOLVER_FIELD_H
#define LUDUS_SOLVER_FIELD_H

#include "solver/plan.h"

enum { FIELD_SKY = 5, FIELD_BELOW = 1, FIELD_PHASES = 24, FIELD_FAR = UINT16_MAX };
enum { FIELD_TICK = 16 }; /* distances are given in this fraction of a tick */

typedef struct {
    const sv_plan *plan;
    int width, height, rows, exit_x;
    int n_phases, apex; /* phase 0 stands; up to the apex he rises, then he falls */
    int rise[FIELD_PHASES]; /* rows that a phase goes up, at most, or down */
    float fall_speed[FIELD_PHASES];
    float ticks; /* of a phase */
    int jump_ticks;
    uint16_t *cost; /* by stage, cell and phase: in phases */
} sv_field;

/* False if memory ran out. In a level that is too large, the distance is just the way to the right. */
bool sv_field_begin(sv_field *field, const sv_plan *plan, const pf_world *root);
void sv_field_end(sv_field *field);

/* How far it is from this place, in a stage of the plan. */
int sv_field_distance(const sv_field *field, const pf_world *world, int stage);

#endif
