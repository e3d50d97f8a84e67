/* The generator "ludus": levels of zones, added from left to right, by many knobs.
 *
 * The same options give the same level on every machine: all of it is integer arithmetic. Nothing
 * here allocates or keeps state; the caller brings the memory of the text and of the workspace.
 */
#ifndef LUDUS_GENERATORS_LUDUS_H
#define LUDUS_GENERATORS_LUDUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LG_LEAST_LENGTH = 50,
    LG_MOST_LENGTH = 4096,
    LG_LEAST_HEIGHT = 16,
    LG_MOST_HEIGHT = 64
};

enum lg_walker { LG_GOOMBA, LG_GREEN_KOOPA, LG_RED_KOOPA, LG_SPIKY, LG_WALKERS };

/* Frequencies, shares and weights are 0 .. 100; a number that may be left out is -1 then. */
typedef struct {
    uint64_t seed;
    int32_t difficulty; /* 0 .. 20 */
    int32_t length, height;
    int32_t start_column, exit_column, exit_row; /* the exit's may be -1 */
    bool ceiling, flat, impossible;
    int32_t relief;
    /* how often a zone of a kind comes */
    int32_t gaps, stairs, tubes, cannons, hills, platforms, dead_ends;
    int32_t ladders, moving_platforms, switches, keys, puzzles;
    int32_t gap_width, dead_end_depth; /* columns */
    /* what is in the zones */
    int32_t blocks, hidden_blocks, coins;
    int32_t power_ups, coin_blocks, one_ups; /* shares of the blocks; together at most 100 */
    int32_t creatures, winged, piranhas;
    int32_t weights[LG_WALKERS], counts[LG_WALKERS]; /* counts may be -1 */
    /* what the physics allows, in whole tiles */
    int32_t reach_up;     /* a jump's height */
    int32_t reach_across; /* the widest gap that a short run-up is surely enough for */
    int32_t reach_far;    /* no flight is longer, from the top of the level at full speed */
} lg_options;

/* A place where a walker can stand. */
typedef struct {
    int16_t column;
    uint8_t row, low; /* low: there is no room above to fly */
} lg_place;

enum { LG_MOST_PLACES = 3 * LG_MOST_LENGTH };

typedef struct {
    lg_place places[LG_MOST_PLACES];
} lg_workspace;

/* Bytes of the text: the rows, each with a line feed at its end. */
static inline size_t lg_text_size(const lg_options *options) {
    return ((size_t)options->length + 1) * (size_t)options->height;
}

/* Writes the text of a level; returns whether it has elements of the rule set "ludus". */
bool lg_generate(const lg_options *options, lg_workspace *workspace, char *text);

#endif
