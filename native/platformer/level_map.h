/* Levels of map bytes: the format of the benchmarks of 2009 and 2010. */
#ifndef LUDUS_PLATFORMER_LEVEL_MAP_H
#define LUDUS_PLATFORMER_LEVEL_MAP_H

#include "platformer/platformer.h"

/* Map bytes that the format's readers and writers name. */
enum {
    MAP_HIDDEN_COIN = 1,
    MAP_USED = 4,
    MAP_MUZZLE = 14,
    MAP_BRICK_COIN = 17,
    MAP_QUESTION = 20,
    MAP_QUESTION_COIN = 21,
    MAP_QUESTION_COINS = 23,
    MAP_COIN = 34,
    MAP_COIN_FIRST = 32,
    MAP_COIN_LAST = 35
};

/* Fills a level, whose memory is laid out and zero, with a map of its width and height. */
void pf_read_map(pf_level *level, const pf_map *map);

#endif
