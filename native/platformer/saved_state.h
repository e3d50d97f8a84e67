/* A world's state as bytes, to be kept or sent, and put into a world of the same level again.
 *
 * The bytes hold no address and no capacity. They may come from anywhere: a state is taken only after
 * every count, index, tile and number in it was found to be one that a tick can cope with.
 */
#ifndef LUDUS_PLATFORMER_SAVED_STATE_H
#define LUDUS_PLATFORMER_SAVED_STATE_H

#include "platformer/platformer.h"

/* Changes when states are written another way. */
enum { PF_STATE_VERSION = 2 };

/* Returns the size of the world's state, and writes it if it fits. */
size_t pf_save(const pf_world *world, uint8_t *bytes, size_t capacity);
/* Why these bytes are no state of a world with this level, physics and kill events, or NULL. */
const char *pf_check_saved(const pf_world *world, const uint8_t *bytes, size_t size);
/* The least sprite capacity of a world that takes a state that was checked. */
int pf_saved_capacity(const pf_world *world, const uint8_t *bytes);
/* Puts a world that has room for it into a state that was checked. */
void pf_load(pf_world *world, const uint8_t *bytes);

#endif
