/* The squares of pictures, each kind once. */
#include "training/patches.h"

#include <stdlib.h>
#include <string.h>

#include "training/sight.h"

static uint64_t hash_of(const uint8_t *kind, size_t size) {
    uint64_t hash = size;
    for (size_t k = 0; k < size; k += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, kind + k, size - k < sizeof word ? size - k : sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

static void place(patches *all, uint32_t number) {
    uint32_t at =
        (uint32_t)hash_of(all->pixels + number * patch_size(all), patch_size(all)) & all->mask;
    while (all->places[at])
        at = (at + 1) & all->mask;
    all->places[at] = number + 1;
}

static bool grow(patches *all) {
    int32_t room = all->room ? 2 * all->room : 1024;
    uint8_t *pixels = realloc(all->pixels, (size_t)room * patch_size(all));
    if (!pixels)
        return false;
    all->pixels = pixels;
    uint32_t *places = calloc(4 * (size_t)room, sizeof *places);
    if (!places)
        return false;
    free(all->places);
    all->places = places;
    all->mask = 4 * (uint32_t)room - 1;
    all->room = room;
    for (int32_t k = 0; k < all->n; k++)
        place(all, (uint32_t)k);
    return true;
}

void patches_clear(patches *all) {
    all->n = 0;
    if (all->room)
        memset(all->places, 0, 4 * (size_t)all->room * sizeof *all->places);
}

void patches_free(patches *all) {
    free(all->pixels);
    free(all->places);
}

int32_t patches_find(patches *all, const uint8_t *kind) {
    size_t size = patch_size(all);
    if (all->n == all->room && !grow(all))
        return -1;
    uint32_t at = (uint32_t)hash_of(kind, size) & all->mask;
    for (; all->places[at]; at = (at + 1) & all->mask)
        if (!memcmp(all->pixels + (all->places[at] - 1) * size, kind, size))
            return (int32_t)all->places[at] - 1;
    memcpy(all->pixels + (size_t)all->n * size, kind, size);
    all->places[at] = (uint32_t)++all->n;
    return all->n - 1;
}

static void cut(const uint8_t *pictures, int side, int row, int column, uint8_t *kind) {
    for (int picture = 0; picture < 2; picture++)
        for (int y = 0; y < side; y++, kind += side)
            memcpy(kind,
                   pictures + picture * SIGHT_PICTURE + (row * side + y) * SIGHT_SIDE + column * side,
                   (size_t)side);
}

bool patches_read(patches *all, const uint8_t *pictures, uint32_t *numbers) {
    uint8_t kind[2 * SIGHT_PICTURE];
    int count = SIGHT_SIDE / all->side;
    for (int row = 0; row < count; row++)
        for (int column = 0; column < count; column++) {
            cut(pictures, all->side, row, column, kind);
            int32_t number = patches_find(all, kind);
            if (number < 0)
                return false;
            *numbers++ = (uint32_t)number;
        }
    return true;
}

void patches_show(const patches *all, uint32_t number, float *out) {
    const uint8_t *before = all->pixels + number * patch_size(all), *now = before + patch_size(all) / 2;
    for (size_t k = 0; k < patch_size(all) / 2; k++) {
        out[2 * k] = (float)before[k] * (1 / 255.0f);
        out[2 * k + 1] = (float)now[k] * (1 / 255.0f);
    }
}
