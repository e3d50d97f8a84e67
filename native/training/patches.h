/* The squares of pictures, each kind once: pictures of a game consist of few kinds. */
#ifndef LUDUS_TRAINING_PATCHES_H
#define LUDUS_TRAINING_PATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int32_t side;     /* of a square, in pixels */
    int32_t n, room;  /* kinds, and how many there is memory for */
    uint8_t *pixels;  /* of each kind: the square before and the square now */
    uint32_t *places; /* a hash table of numbers of kinds, from 1 on; 0 where there is none */
    uint32_t mask;
} patches;

/* Bytes of a kind. */
static inline size_t patch_size(const patches *all) {
    return 2 * (size_t)all->side * (size_t)all->side;
}

/* Forgets all kinds. */
void patches_clear(patches *all);
void patches_free(patches *all);

/* Returns the number of a kind, a new one if need be; -1 if memory ran out. */
int32_t patches_find(patches *all, const uint8_t *kind);

/* Writes the numbers of all squares of a picture before and now; false if memory ran out. */
bool patches_read(patches *all, const uint8_t *pictures, uint32_t *numbers);

/* Writes a kind as a network reads it: white is 1, and the pixel now follows the one before. */
void patches_show(const patches *all, uint32_t number, float *out);

#endif
