/* A search from one world on: best first by the distance field, a share of its nodes elsewhere. */
#ifndef LUDUS_SOLVER_SEARCH_H
#define LUDUS_SOLVER_SEARCH_H

#include "solver/field.h"
#include "solver/solver.h"
#include "solver/style.h"

/* What all searches in a level share. */
typedef struct {
    const pf_world *root;
    const sv_plan *plan;
    const sv_field *field;
} sv_problem;

/* Searches in one style, for so many nodes, which are added to the verdict's. If there is a way, the
 * verdict becomes solved. False if memory ran out. */
bool sv_search(const sv_problem *problem, const sv_style *style, int64_t budget, sv_verdict *verdict);

#endif
