/* Many games at once, over buffers bound once. */
#ifndef LUDUS_DIPLOMACY_BATCH_H
#define LUDUS_DIPLOMACY_BATCH_H

#include "diplomacy/map.h"

enum { DP_PLANES = 3, DP_TIMES = 3 };
enum dp_ending { DP_RUNNING, DP_TERMINATED, DP_TRUNCATED };

/* A game with its legal orders. */
typedef struct {
    dp_board board;
    dp_groups groups;
    dp_order orders[DP_USUAL_ORDERS];
} dp_game;

/* Of every game: for each province the number of the order that is given there, from 1; how many there
 * are to choose from and whose they are (DP_POWERS: nobody's). For each location who stands there, who was
 * dislodged there (0, 1 to 7 for an army, 8 to 14 for a fleet), and whose centre it is (0 none, 1 nobody's,
 * 2 to 8). Year, season and kind of the phase. What each power has gained, and whether the game has ended; it
 * begins anew in the same step. */
typedef struct {
    dp_game *games;
    int last_year;
    const int32_t *actions;
    int32_t *counts;
    uint8_t *owners;
    uint8_t *planes;
    int32_t *times;
    float *rewards;
    uint8_t *ended;
} dp_batch;

void dp_batch_begin(dp_batch *batch, int k);
void dp_batch_step(dp_batch *batch, int first, int last);

#endif
