/* Worlds, levels and sceneries on the heap, for programs that have one. NULL means out of memory. */
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

/* Moves the world to where more sprites fit; false leaves it as it was. */
bool pf_grow(pf_world **world);

/* Room for the next tick, moving the world if it must; false leaves it as it was. */
static inline bool pf_make_room(pf_world **world) { return pf_has_room(*world) || pf_grow(world); }

/* Frees a level or a world. */
void pf_free(void *memory);

/* The sceneries of the levels of n worlds: one for each world, NULL for levels without. Worlds of one level that
 * stand side by side share theirs. */
pf_scenery **pf_sceneries_new(pf_world *const *worlds, size_t n, enum pf_grid grid, const pf_view *view);
void pf_sceneries_free(pf_scenery **sceneries, size_t n);

#endif
