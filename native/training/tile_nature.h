/* What tiles are to a learner. */
#ifndef LUDUS_TRAINING_TILE_NATURE_H
#define LUDUS_TRAINING_TILE_NATURE_H

#include "platformer/rules/ludus/elements.h"

enum { TILE_BLOCKS = 1, TILE_HOLDS = 2, TILE_LADDER = 4, TILE_USEFUL = 8 };

static const uint8_t tile_nature[PF_TILES] = {[1] = TILE_BLOCKS | TILE_HOLDS,
                                              [2] = TILE_BLOCKS | TILE_HOLDS,
                                              [3] = TILE_BLOCKS | TILE_HOLDS,
                                              [4] = TILE_BLOCKS | TILE_HOLDS,
                                              [5] = TILE_BLOCKS | TILE_HOLDS,
                                              [6] = TILE_BLOCKS | TILE_HOLDS,
                                              [7] = TILE_BLOCKS | TILE_HOLDS,
                                              [8] = TILE_BLOCKS | TILE_HOLDS,
                                              [11] = TILE_BLOCKS | TILE_HOLDS,
                                              [14] = TILE_BLOCKS | TILE_HOLDS,
                                              [18] = TILE_BLOCKS | TILE_HOLDS,
                                              [19] = TILE_BLOCKS | TILE_HOLDS,
                                              [20] = TILE_BLOCKS | TILE_HOLDS,
                                              [21] = TILE_BLOCKS | TILE_HOLDS,
                                              [43] = TILE_HOLDS,
                                              [44] = TILE_HOLDS,
                                              [45] = TILE_HOLDS,
                                              [46] = TILE_HOLDS,
                                              [50] = TILE_BLOCKS | TILE_HOLDS,
                                              [51] = TILE_BLOCKS | TILE_HOLDS,
                                              [52] = TILE_BLOCKS | TILE_HOLDS,
                                              [53] = TILE_BLOCKS | TILE_HOLDS,
                                              [PF_LADDER] = TILE_LADDER,
                                              [PF_LADDER_TOP] = TILE_LADDER,
                                              [PF_KEY] = TILE_USEFUL,
                                              [PF_KEY + 1] = TILE_USEFUL,
                                              [PF_KEY + 2] = TILE_USEFUL,
                                              [PF_LOCK] = TILE_BLOCKS | TILE_HOLDS,
                                              [PF_LOCK + 1] = TILE_BLOCKS | TILE_HOLDS,
                                              [PF_LOCK + 2] = TILE_BLOCKS | TILE_HOLDS,
                                              [PF_SWITCH] = TILE_USEFUL,
                                              [PF_SWITCH + 1] = TILE_USEFUL,
                                              [PF_SWITCH + 2] = TILE_USEFUL,
                                              [PF_DOOR_CLOSED] = TILE_BLOCKS | TILE_HOLDS,
                                              [PF_DOOR_CLOSED + 1] = TILE_BLOCKS | TILE_HOLDS,
                                              [PF_DOOR_CLOSED + 2] = TILE_BLOCKS | TILE_HOLDS};

#endif
