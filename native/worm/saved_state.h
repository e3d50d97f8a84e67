/* A worm's world as bytes, to be kept or sent, and put into a world of the same task again. They hold no
 * address, and may come from anywhere: see wm_check_saved. */
#ifndef LUDUS_WORM_SAVED_STATE_H
#define LUDUS_WORM_SAVED_STATE_H

#include "worm/worm.h"

/* Changes when states are written another way. */
enum { WM_STATE_VERSION = 1 };

/* The size of every state of this task. */
size_t wm_saved_size(const wm_task *task);
void wm_save(const wm_world *world, uint8_t *bytes);
/* Why these bytes are no state of a world of this task, or NULL: then no index in them leaves its array. */
const char *wm_check_saved(const wm_task *task, const uint8_t *bytes, size_t size);
/* Puts a world into a state that was checked. It is memory of task->world_size bytes. */
void wm_load(wm_world *world, const wm_task *task, const uint8_t *bytes);

#endif
