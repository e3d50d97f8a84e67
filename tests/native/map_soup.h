/* Random levels of map bytes, for the rules of the competitions. */
#ifndef MAP_SOUP_H
#define MAP_SOUP_H

#include "platformer/heap.h"

#include "random_soup.h"

#include <string.h>

static const struct {
    int n;
    uint8_t bytes[16];
} map_palettes[] = {
    {8, {0x01, 0x02, 0x10, 0x11, 0x12, 0x15, 0x16, 0x22}},       /* blocks and coins */
    {6, {0x10, 0x10, 0x12, 0x16, 0x09, 0x0e}},
    {3, {0x0e, 0x1e, 0x2e}},                                     /* cannons */
    {4, {0x84, 0x85, 0x86, 0xb4}},                               /* hill tops */
    {8, {0x80, 0x81, 0x82, 0x91, 0x83, 0x93, 0x99, 0x9d}},       /* ground */
    {4, {0x3d, 0x5d, 0x22, 0x17}},                               /* ladders, coins */
    {1, {0x0e}},
    {1, {0x22}},
};
enum { MAP_PALETTES = sizeof map_palettes / sizeof *map_palettes };

static uint8_t map_byte(void) {
    int k = below(MAP_PALETTES);
    return one_in(16) ? (uint8_t)below(256) : map_palettes[k].bytes[below(map_palettes[k].n)];
}

static void fill_map(uint8_t *bytes, int width, int height) {
    static const int densities[] = {1, 2, 5, 10, 20, 40};
    int density = densities[below(6)], gaps = between(2, 40), rows = between(1, 3);
    for (int k = 0; k < width * height; k++)
        bytes[k] = below(100) < density ? map_byte() : 0;
    for (int column = 0; column < width; column++) {
        bool gap = one_in(gaps);
        for (int row = height - rows < 0 ? 0 : height - rows; row < height && !gap; row++)
            bytes[column * height + row] = 0x81;
    }
    if (one_in(8)) /* the last row goes on below the level, with its cannons and coins */
        for (int column = 0; column < width; column++)
            bytes[column * height + height - 1] = one_in(2) ? 0x0e : 0x22;
}

/* By column, then row; the kinds beyond those of the text are of 2010 alone. */
static int fill_templates(pf_template *templates, const pf_rules *rules, int width, int height) {
    static const int32_t kinds[] = {PF_GOOMBA, PF_GOOMBA_WINGED, PF_RED_KOOPA, PF_RED_KOOPA_WINGED,
                                    PF_GREEN_KOOPA, PF_GREEN_KOOPA_WINGED, PF_SPIKY, PF_SPIKY_WINGED,
                                    PF_ENEMY_FLOWER, PF_WAVE_GOOMBA, PF_PRINCESS};
    int n = 0, rarity = between(4, 200), of = strcmp(rules->name, "2010") ? 9 : 11;
    bool koopas = one_in(4);
    for (int column = 0; column < width; column++)
        for (int row = 0; row < height; row++)
            if (one_in(rarity))
                templates[n++] = (pf_template){column, row, kinds[koopas ? between(2, 5) : below(of)]};
    return n;
}

static int8_t *fill_block_data(int n) {
    int8_t *data = memory((size_t)n);
    for (int k = 0; k < n; k++)
        data[k] = (int8_t)(one_in(6) ? between(-9, 9) : 0);
    return data;
}

static pf_level *random_map_level(const pf_rules *rules, int most_width, int most_height) {
    int width = one_in(4) ? between(1, 30) : between(1, most_width);
    int height = one_in(4) ? between(1, most_height) : 15;
    size_t cells = (size_t)width * (size_t)height;
    uint8_t *bytes = memory(cells);
    int8_t *data = one_in(2) ? NULL : fill_block_data((int)cells);
    pf_template *templates = memory(cells * sizeof *templates);
    fill_map(bytes, width, height);
    pf_map map = {.bytes = bytes,
                  .block_data = data,
                  .templates = templates,
                  .n_templates = fill_templates(templates, rules, width, height),
                  .exit_x = one_in(4) ? below(width) : width - 1,
                  .exit_y = below(height),
                  .type = below(3),
                  .difficulty = below(12)};
    pf_cells all = {NULL, width, height, &map};
    pf_level *level = pf_level_new(&all, rules);
    require(level, "a level can be made");
    free(bytes);
    free(data);
    free(templates);
    return level;
}

#endif
