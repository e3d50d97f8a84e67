/* The reference level generators: the same seed and options give the same level, byte for byte.
 *
 * A generator fills a gen_level whose memory the caller brings; nothing here allocates or keeps
 * state. Cells lie column by column, from the top down. The generators of the 2009 and 2010
 * benchmarks write their map bytes, the framework's writes the characters of its level text.
 */
#ifndef LUDUS_GENERATORS_H
#define LUDUS_GENERATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GEN_MAX_HEIGHT = 256 };

enum gen_type { GEN_OVERGROUND, GEN_UNDERGROUND, GEN_CASTLE };

/* What the tunable generator counts while it builds. */
typedef struct {
    int32_t dead_ends, cannons, platforms, tubes, blocks, coins, gaps, hidden, creatures;
} gen_counts;

typedef struct {
    int32_t width, height; /* the caller sets these and the three pointers */
    uint8_t *map;          /* width * height; 0 is empty */
    uint8_t *creatures;    /* width * height letters, 0 where none; text levels: the map itself */
    int8_t *data;          /* width * height block data of the 2010 format, or NULL */
    int32_t exit_x, exit_y;
    gen_counts counts;
} gen_level;

/* Letters of creatures: g goomba, k green koopa, r red koopa, y spiky, capitals with wings, and: */
enum { GEN_PIRANHA = 'T', GEN_WAVE_GOOMBA = 'w', GEN_PRINCESS = 'P' };

/* ---- the three generators -------------------------------------------------------------------- */

typedef struct {
    int64_t seed;
    int32_t difficulty, type;
} gen_notch_options;

/* The 2009 competition's; the level is 15 rows high. */
void gen_notch_2009(gen_level *level, const gen_notch_options *options);

/* The framework's version of it, for any size; creatures is map. */
void gen_notch_framework(gen_level *level, const gen_notch_options *options);

enum { GEN_TUNABLE_KINDS = 9 };

/* The kinds of creatures that can be asked for, in the order in which they are drawn. */
enum gen_tunable_kind {
    GEN_G, GEN_GW, GEN_RK, GEN_RKW, GEN_GK, GEN_GKW, GEN_S, GEN_SW, GEN_GWW
};

enum gen_tunable_creatures { GEN_CREATURES_OFF, GEN_CREATURES_ANY, GEN_CREATURES_LISTED };

typedef struct {
    int32_t seed, difficulty, type;
    int32_t exit_x, exit_y; /* 0: the last column, the row above the floor */
    bool flat, dead_ends, cannons, platforms, tubes, coins, blocks, gaps, hidden_blocks, ladders;
    int32_t creatures; /* enum gen_tunable_creatures */
    int32_t n_listed;
    struct {
        int32_t kind, count; /* count 0: as many as may come */
    } listed[GEN_TUNABLE_KINDS];
} gen_tunable_options;

/* The 2010 benchmark's; data is needed. */
void gen_tunable_2010(gen_level *level, const gen_tunable_options *options);

/* ---- after generation ------------------------------------------------------------------------ */

/* Bytes of a level's text: its rows, each with a line feed at its end. */
static inline size_t gen_text_size(const gen_level *level) {
    return ((size_t)level->width + 1) * (size_t)level->height;
}

/* The text of a level of characters. */
void gen_characters_to_text(const gen_level *level, char *text);

/* The text that comes closest to a level of map bytes. What the framework does not know is left
 * out: ladders, all coins of a block but the first, creatures inside blocks. */
void gen_bytes_to_text(const gen_level *level, char *text);

#endif
