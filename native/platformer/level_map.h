/* Levels of map bytes: the format of the benchmarks of 2009 and 2010. */
#ifndef LUDUS_PLATFORMER_LEVEL_MAP_H
#define LUDUS_PLATFORMER_LEVEL_MAP_H

#include "platformer/platformer.h"

/* Map bytes. */
enum {
    MAP_HIDDEN_COIN = 1,
    MAP_HIDDEN_POWER_UP = 2,
    MAP_USED = 4,
    MAP_STAIRS = 9,
    MAP_PIPE_TOP = 10, /* left; the right one is next */
    MAP_MUZZLE = 14,
    MAP_BRICK = 16,
    MAP_BRICK_COIN = 17,
    MAP_BRICK_POWER_UP = 18,
    MAP_QUESTION = 20,
    MAP_QUESTION_COIN = 21,
    MAP_QUESTION_POWER_UP = 22,
    MAP_QUESTION_COINS = 23,
    MAP_PIPE_BODY = 26, /* left; the right one is next */
    MAP_NECK = 30,
    MAP_COIN_FIRST = 32,
    MAP_COIN = 34,
    MAP_COIN_LAST = 35,
    MAP_POLE = 46,
    MAP_LADDER = 61,
    MAP_LADDER_TOP = 93,
    MAP_GROUND_TOP = 129,
    MAP_HILL_TOP = 133,
    MAP_GROUND_BODY = 146,
    MAP_HILL_BODY = 149,
    MAP_EXIT = 255
};

/* Fills a level, whose memory is laid out and zero, with a map of its width and height. */
void pf_read_map(pf_level *level, const pf_map *map);

/* The map bytes of a level of tile codes, column by column: what there is no byte for becomes air. */
void pf_tiles_to_bytes(const pf_level *level, uint8_t *bytes);

#endif
