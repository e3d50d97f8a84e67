/* Areas of a level and the nodes that wait in them. */
#include "solver/areas.h"

#include <stdlib.h>

enum { AREA = 64, SEED = 0x2545f491 };

bool sv_areas_begin(sv_areas *areas, const pf_level *level, int n_stages) {
    *areas = (sv_areas){.wide = level->width * 16 / AREA + 1, .high = level->height * 16 / AREA + 3,
                        .random = SEED};
    areas->n = areas->wide * areas->high * n_stages;
    areas->areas = calloc((size_t)areas->n, sizeof *areas->areas);
    areas->busy = malloc((size_t)areas->n * sizeof *areas->busy);
    return areas->areas && areas->busy;
}

void sv_areas_end(sv_areas *areas) {
    for (int k = 0; areas->areas && k < areas->n; k++)
        free(areas->areas[k].nodes);
    free(areas->areas);
    free(areas->busy);
}

static int area_of(const sv_areas *areas, const pf_world *w, int stage) {
    int column = (int)w->mario.body.x / AREA, row = ((int)w->mario.body.y + 2 * AREA) / AREA;
    column = column < 0 ? 0 : column < areas->wide ? column : areas->wide - 1;
    row = row < 0 ? 0 : row < areas->high ? row : areas->high - 1;
    return (stage * areas->wide + column) * areas->high + row;
}

static bool grow(sv_area *a) {
    int capacity = a->capacity ? 2 * a->capacity : 32;
    uint32_t *nodes = realloc(a->nodes, (size_t)capacity * sizeof *nodes);
    if (!nodes)
        return false;
    a->nodes = nodes;
    a->capacity = capacity;
    return true;
}

bool sv_areas_add(sv_areas *areas, const pf_world *world, int stage, uint32_t node) {
    int number = area_of(areas, world, stage);
    sv_area *a = &areas->areas[number];
    if (a->n == a->capacity && !grow(a))
        return false;
    if (!a->n)
        areas->busy[areas->n_busy++] = number;
    a->nodes[a->n++] = node;
    return true;
}

static uint32_t draw(sv_areas *areas, int n) {
    areas->random ^= areas->random << 13;
    areas->random ^= areas->random >> 7;
    areas->random ^= areas->random << 17;
    return (uint32_t)((areas->random >> 32) % (uint64_t)n);
}

uint32_t sv_areas_take(sv_areas *areas) {
    if (!areas->n_busy)
        return SV_NO_NODE;
    uint32_t place = draw(areas, areas->n_busy);
    sv_area *a = &areas->areas[areas->busy[place]];
    uint32_t k = draw(areas, a->n), node = a->nodes[k];
    a->nodes[k] = a->nodes[--a->n];
    if (!a->n)
        areas->busy[place] = areas->busy[--areas->n_busy];
    return node;
}
