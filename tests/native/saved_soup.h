/* What a soup does with saved states: true ones go on alike, forged ones are refused or do no harm. */
#ifndef SAVED_SOUP_H
#define SAVED_SOUP_H

#include "platformer/heap.h"
#include "platformer/saved_state.h"

#include "forging.h"

/* Memory of the exact size, so that the sanitizer sees a byte too many. */
static saved save_world(const pf_world *world) {
    saved s = {NULL, pf_save(world, NULL, 0)};
    s.bytes = memory(s.size);
    require(pf_save(world, s.bytes, s.size) == s.size, "a state has one size");
    return s;
}

/* Another world of the same level, physics and kill events, which may have little room. */
static pf_world *new_world_like(const pf_world *world) {
    pf_world *other = pf_world_new(world->level, &world->physics, pf_kills(world), world->n_kills, below(3),
                                   one_in(2) ? 0 : 1000 * between(1, 200));
    require(other, "a world can be made");
    return other;
}

static void try_saved(const pf_world *world) {
    saved s = save_world(world);
    pf_world *other = new_world_like(world);
    const char *reason = pf_check_saved(other, s.bytes, s.size);
    if (reason)
        fprintf(stderr, "refused: %s\n", reason);
    require(!reason, "a state that was saved is accepted");
    require(pf_world_load(&other, s.bytes), "a world can be loaded");
    require(pf_hash(other) == pf_hash(world), "a loaded world equals the saved one");
    saved again = save_world(other);
    require(again.size == s.size && !memcmp(again.bytes, s.bytes, s.size), "its state is the same");
    pf_world *twin = pf_world_clone(world);
    for (int k = between(1, 64); k > 0; k--) { /* a finished world may go on, too */
        unsigned action = (unsigned)below(world->rules->n_actions);
        require(pf_make_room(&twin) && pf_make_room(&other), "there is memory");
        pf_step(twin, action);
        pf_step(other, action);
        require(pf_hash(other) == pf_hash(twin), "it goes on alike");
    }
    pf_free(twin);
    pf_free(other);
    free(s.bytes);
    free(again.bytes);
}

/* Everything that reads a world; the world may be one that no game leads to. */
static void suffer(pf_world **world) {
    pf_view view = {16, 16, (uint8_t)below(3), (uint8_t)below(3), (uint8_t)below(2)};
    uint8_t grid[16 * 16];
    float state[PF_STATE_FIELDS];
    for (int k = between(1, 40); k > 0; k--) {
        require(pf_make_room(world), "there is memory");
        pf_step(*world, (unsigned)below((*world)->rules->n_actions));
        pf_observe(*world, (enum pf_grid)below(3), &view, grid);
        pf_state(*world, state);
        (void)pf_hash(*world);
    }
    saved s = save_world(*world);
    free(s.bytes);
}

static void try_forged(const pf_world *world) {
    for (int n = 16; n > 0; n--) {
        saved s = save_world(world);
        pf_world *other = new_world_like(world);
        uint64_t before = pf_hash(other);
        size_t size = one_in(16) ? (size_t)below((int)s.size) : s.size;
        change_bytes(&s);
        if (size == s.size && !one_in(8))
            reseal(&s);
        if (pf_check_saved(other, s.bytes, size)) {
            require(pf_hash(other) == before, "a refused state changes nothing");
            forgeries.refused++;
        } else {
            require(pf_world_load(&other, s.bytes), "a world can be loaded");
            suffer(&other);
            forgeries.accepted++;
        }
        pf_free(other);
        free(s.bytes);
    }
}

#endif
