/* Worlds and levels on the heap, for programs that have one. NULL means out of memory. */
#ifndef LUDUS_PLATFORMER_HEAP_H
#define LUDUS_PLATFORMER_HEAP_H

#include "platformer/platformer.h"

pf_level *pf_level_new(const pf_cells *cells, const pf_rules *rules);
pf_world *pf_world_new(const pf_level *level, const pf_physics *physics, const pf_kill *kills,
                       int n_kills, int mode, int timer);
pf_world *pf_world_clone(const pf_world *world);

/* Makes *world equal another one of the same level and kill events; false leaves it as it was. */
bool pf_world_restore(pf_world **world, const pf_world *from);

/* Puts *world into a state that pf_check_saved has accepted; false leaves it as it was. */
bool pf_world_load(pf_world **world, const uint8_t *bytes);

/* Room for the next tick, moving the world if it must; false leaves it as it was. */
bool pf_make_room(pf_world **world);

/* Frees either. */
void pf_free(void *memory);

#endif
