/* Reading and writing the cells of a level that is being generated. */
#ifndef LUDUS_GENERATORS_CANVAS_H
#define LUDUS_GENERATORS_CANVAS_H

#include "generators/generators.h"

#include <string.h>

/* Map bytes of the 2009 and 2010 formats. */
enum {
    BYTE_HIDDEN_COIN = 1,
    BYTE_HIDDEN_POWER_UP = 2,
    BYTE_USED = 4,
    BYTE_STAIRS = 9,
    BYTE_PIPE_TOP = 10, /* left; the right one is next */
    BYTE_MUZZLE = 14,
    BYTE_BRICK = 16,
    BYTE_BRICK_COIN = 17,
    BYTE_BRICK_POWER_UP = 18,
    BYTE_QUESTION = 20,
    BYTE_QUESTION_COIN = 21,
    BYTE_QUESTION_POWER_UP = 22,
    BYTE_QUESTION_COINS = 23,
    BYTE_PIPE_BODY = 26,
    BYTE_NECK = 30,
    BYTE_COIN = 34,
    BYTE_POLE = 46,
    BYTE_LADDER = 61,
    BYTE_LADDER_TOP = 93,
    BYTE_HILL_TOP = 132, /* left, middle, right */
    BYTE_GROUND = 145,
    BYTE_HILL_BODY = 148,    /* left, middle, right */
    BYTE_HILL_OVERLAP = 180, /* left, middle, right: a hill's top in front of another hill */
    BYTE_EXIT = 255
};

static inline int least(int a, int b) { return a < b ? a : b; }
static inline int most(int a, int b) { return a > b ? a : b; }

static inline bool inside(const gen_level *level, int x, int y) {
    return x >= 0 && x < level->width && y >= 0 && y < level->height;
}

static inline size_t cell_at(const gen_level *level, int x, int y) {
    return (size_t)x * (size_t)level->height + (size_t)y;
}

/* The columns at the sides and the bottom row go on for ever; above the level is nothing. */
static inline uint8_t get(const gen_level *level, int x, int y) {
    if (y < 0)
        return 0;
    x = most(0, least(x, level->width - 1));
    return level->map[cell_at(level, x, least(y, level->height - 1))];
}

/* Beyond the level nothing is written. */
static inline void put(gen_level *level, int x, int y, uint8_t tile) {
    if (inside(level, x, y))
        level->map[cell_at(level, x, y)] = tile;
}

/* Fills rows first .. last of a column. */
static inline void put_column(gen_level *level, int x, int first, int last, uint8_t tile) {
    first = most(first, 0);
    last = least(last, level->height - 1);
    if (x >= 0 && x < level->width && first <= last)
        memset(level->map + cell_at(level, x, first), tile, (size_t)(last - first + 1));
}

static inline void put_creature(gen_level *level, int x, int y, uint8_t letter) {
    if (inside(level, x, y))
        level->creatures[cell_at(level, x, y)] = letter;
}

void gen_clear(gen_level *level);

/* Gives every ground byte the shape that its neighbours ask for, in the colours of the type. */
void gen_finish_ground(gen_level *level, int type);

#endif
