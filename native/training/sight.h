/* What a learner sees of a world: one row of small whole numbers, or a small grey picture. */
#ifndef LUDUS_TRAINING_SIGHT_H
#define LUDUS_TRAINING_SIGHT_H

#include "platformer/platformer.h"

/* The receptive field around Mario's feet. */
enum {
    SIGHT_BEHIND = 3,
    SIGHT_AHEAD = 11,
    SIGHT_ABOVE = 7,
    SIGHT_BELOW = 4,
    SIGHT_COLUMNS = SIGHT_BEHIND + 1 + SIGHT_AHEAD,
    SIGHT_ROWS = SIGHT_ABOVE + 1 + SIGHT_BELOW,
    SIGHT_CELLS = SIGHT_COLUMNS * SIGHT_ROWS,
    SIGHT_PLANES = 3, /* what blocks, what can be stood on, who is there */
    SIGHT_CREATURES = 5,
    SIGHT_CREATURE_FIELDS = 7,
    SIGHT_MARIO_FIELDS = 19,
    SIGHT_FIELDS = SIGHT_PLANES * SIGHT_CELLS + SIGHT_CREATURES * SIGHT_CREATURE_FIELDS
                   + SIGHT_MARIO_FIELDS,
    SIGHT_FAR = 19, /* the last column ahead whose ground is seen in the wide row */
    SIGHT_PROFILE = SIGHT_BEHIND + 1 + SIGHT_FAR,
    SIGHT_PLATFORMS = 3,
    SIGHT_PLATFORM_FIELDS = 7,
    SIGHT_WIDE_FIELDS = SIGHT_FIELDS + SIGHT_PROFILE + SIGHT_PLATFORMS * SIGHT_PLATFORM_FIELDS,
    SIGHT_ONE = 64, /* stands for 1.0 in a row */
    SIGHT_SIDE = 64, /* pixels of the picture's side; one stands for 4 x 4 of the game's */
    SIGHT_PICTURE = SIGHT_SIDE * SIGHT_SIDE,
    SIGHT_SCREEN_SIDE = 84, /* of the picture that networks made for Atari take */
    SIGHT_SCREEN = SIGHT_SCREEN_SIDE * SIGHT_SCREEN_SIDE
};

/* Fills SIGHT_FIELDS numbers: the planes cell by cell, column by column, then creatures, then Mario. */
void sight_fields(const pf_world *world, int8_t *out);

/* Fills SIGHT_WIDE_FIELDS numbers: those of sight_fields, then how high the ground is in every column,
 * then the nearest moving platforms. */
void sight_wide_fields(const pf_world *world, int8_t *out);

/* Fills SIGHT_PICTURE brightnesses, row by row: the screen at a quarter of its size. */
void sight_picture(const pf_world *world, uint8_t *out);

/* Fills SIGHT_SCREEN brightnesses in the same way. */
void sight_screen(const pf_world *world, uint8_t *out);

#endif
