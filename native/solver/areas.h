/* Nodes by the area of the level that they are in, for a draw by lot. */
#ifndef LUDUS_SOLVER_AREAS_H
#define LUDUS_SOLVER_AREAS_H

#include "platformer/platformer.h"

#define SV_NO_NODE UINT32_MAX

/* The nodes of one area that wait, in no order. */
typedef struct {
    uint32_t *nodes;
    int n, capacity;
} sv_area;

typedef struct {
    sv_area *areas; /* by stage, column and row */
    int wide, high, n;
    int *busy, n_busy; /* those with nodes, in no order */
    uint64_t random;
} sv_areas;

/* False if memory ran out; sv_areas_end is due all the same. */
bool sv_areas_begin(sv_areas *areas, const pf_level *level, int n_stages);
void sv_areas_end(sv_areas *areas);

/* Adds a node to the area that Mario is in; false if memory ran out. */
bool sv_areas_add(sv_areas *areas, const pf_world *world, int stage, uint32_t node);
/* Takes a node out of an area, both drawn by lot; SV_NO_NODE if there are none. */
uint32_t sv_areas_take(sv_areas *areas);

#endif
