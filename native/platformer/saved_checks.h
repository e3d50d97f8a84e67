/* What a state that comes from anywhere may hold: ranges wider than any game's, in which no index leaves
 * its array, no number overflows and no loop runs on. */
#ifndef LUDUS_PLATFORMER_SAVED_CHECKS_H
#define LUDUS_PLATFORMER_SAVED_CHECKS_H

#include "platformer/platformer.h"

enum { PF_MOST_SPRITES = 1 << 20, PF_MOST_EVENTS = 1 << 23 };

bool pf_state_fits(const pf_world *state);
bool pf_sprite_fits(const pf_level *level, const pf_sprite *sprite);
bool pf_event_fits(const pf_event *event);
/* Whether a tick can turn one tile into the other, in one or more steps. */
bool pf_tile_fits(const pf_rules *rules, int before, int now);

#endif
