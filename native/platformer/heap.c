/* Worlds, levels and sceneries on the heap. */
#include "platformer/heap.h"
#include "platformer/saved_state.h"

#include <stdlib.h>

pf_level *pf_level_new(const pf_cells *cells, const pf_rules *rules) {
    pf_level *level = malloc(pf_level_size(cells, rules));
    if (level)
        pf_level_build(level, cells, rules);
    return level;
}

pf_world *pf_world_new(const pf_level *level, const pf_physics *physics, const pf_kill *kills,
                       int n_kills, int mode, int timer) {
    int capacity = pf_first_capacity(level);
    pf_world *world = malloc(pf_world_size(level, n_kills, capacity));
    if (world)
        pf_world_begin(world, level, physics, kills, n_kills, mode, timer, capacity);
    return world;
}

static pf_world *clone_with_capacity(const pf_world *world, int capacity) {
    pf_world *clone = malloc(pf_world_size(world->level, world->n_kills, capacity));
    if (clone)
        pf_copy(clone, world, capacity);
    return clone;
}

pf_world *pf_world_clone(const pf_world *world) {
    return clone_with_capacity(world, world->sprite_capacity);
}

bool pf_world_restore(pf_world **world, const pf_world *from) {
    if ((*world)->sprite_capacity >= from->sprite_capacity) {
        pf_copy(*world, from, (*world)->sprite_capacity);
        return true;
    }
    pf_world *clone = pf_world_clone(from);
    if (!clone)
        return false;
    free(*world);
    *world = clone;
    return true;
}

bool pf_world_load(pf_world **world, const uint8_t *bytes) {
    int capacity = pf_saved_capacity(*world, bytes);
    if ((*world)->sprite_capacity < capacity) {
        pf_world *larger = clone_with_capacity(*world, capacity);
        if (!larger)
            return false;
        free(*world);
        *world = larger;
    }
    pf_load(*world, bytes);
    return true;
}

bool pf_grow(pf_world **world) {
    pf_world *larger = clone_with_capacity(*world, pf_wanted_capacity(*world));
    if (!larger)
        return false;
    free(*world);
    *world = larger;
    return true;
}

void pf_free(void *memory) { free(memory); }

static pf_scenery *scenery_new(const pf_level *level, enum pf_grid grid, const pf_view *view) {
    size_t size = pf_scenery_size(level, view);
    pf_scenery *scenery = size ? malloc(size) : NULL;
    if (scenery)
        pf_scenery_build(scenery, level, grid, view);
    return scenery;
}

pf_scenery **pf_sceneries_new(pf_world *const *worlds, size_t n, enum pf_grid grid, const pf_view *view) {
    pf_scenery **all = calloc(n, sizeof *all);
    for (size_t k = 0; all && k < n; k++) {
        bool shared = k && worlds[k]->level == worlds[k - 1]->level;
        all[k] = shared ? all[k - 1] : scenery_new(worlds[k]->level, grid, view);
    }
    return all;
}

void pf_sceneries_free(pf_scenery **all, size_t n) {
    for (size_t k = 0; all && k < n; k++)
        if (!k || all[k] != all[k - 1])
            free(all[k]);
    free(all);
}
