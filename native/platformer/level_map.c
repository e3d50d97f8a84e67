/* Maps of bytes to levels. */
#include "platformer/level_map.h"
#include "common/digest.h"

#include <string.h>

static size_t count_cells(const pf_level *level) {
    return (size_t)level->width * (size_t)level->height;
}

static void read_templates(pf_level *level, const pf_map *map) {
    int32_t *first_in = (int32_t *)((char *)level + level->columns_at);
    int32_t n = 0;
    if (map->n_templates)
        memcpy(level + 1, map->templates, (size_t)map->n_templates * sizeof *map->templates);
    level->n_templates = map->n_templates;
    for (int column = 0; column <= level->width; column++) {
        while (n < map->n_templates && map->templates[n].column < column)
            n++;
        first_in[column] = n;
    }
}

/* Coins that a cell can give: blocks give one more than their data says. */
static int coins_in(int byte, int data) {
    if (byte >= MAP_COIN_FIRST && byte <= MAP_COIN_LAST)
        return 1;
    bool block = byte == MAP_HIDDEN_COIN || byte == MAP_BRICK_COIN || byte == MAP_QUESTION
                 || byte == MAP_QUESTION_COIN || byte == MAP_QUESTION_COINS;
    return block ? 1 + (data < 0 ? -data : 0) : 0;
}

/* A cannon in the outer columns or the last row also fires from the cells beyond, as far as a screen of
 * 320 x 240 pixels shows them. */
static int shots_of(const pf_level *level, int column, int row) {
    enum { COLUMNS_SEEN = 24, ROWS_SEEN = 18 };
    int shots = column == 0 || column == level->width - 1 ? COLUMNS_SEEN : 1;
    return row == level->height - 1 ? shots * ROWS_SEEN : shots;
}

static void count_contents(pf_level *level) {
    const uint8_t *bytes = pf_level_tiles(level);
    const int8_t *data = pf_block_data(level);
    level->max_spawns = level->n_templates;
    for (size_t k = 0; k < count_cells(level); k++) {
        level->total_coins += coins_in(bytes[k], data[k]);
        if (bytes[k] != MAP_MUZZLE)
            continue;
        level->n_muzzles++;
        level->max_spawns +=
            shots_of(level, (int)(k / (size_t)level->height), (int)(k % (size_t)level->height));
    }
}

static uint64_t identify(const pf_level *level) {
    digest d = digest_begin();
    const int32_t numbers[] = {level->width,      level->height,        level->start_x,
                               level->start_y,    level->exit_x,        level->exit_y,
                               level->type,       level->difficulty,    level->counted_coins,
                               level->counted_hidden, level->counted_creatures, level->n_templates};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        digest_i32(&d, numbers[k]);
    for (int k = 0; k < level->n_templates; k++) {
        digest_i32(&d, pf_templates(level)[k].column);
        digest_i32(&d, pf_templates(level)[k].row);
        digest_i32(&d, pf_templates(level)[k].kind);
    }
    digest_bytes(&d, pf_level_tiles(level), count_cells(level));
    digest_bytes(&d, (const uint8_t *)pf_block_data(level), count_cells(level));
    return digest_end(&d);
}

void pf_read_map(pf_level *level, const pf_map *map) {
    memcpy((char *)level + level->tiles_at, map->bytes, count_cells(level));
    if (map->block_data)
        memcpy((char *)level + level->block_data_at, map->block_data, count_cells(level));
    level->start_x = map->start_x;
    level->start_y = map->start_y;
    level->exit_x = map->exit_x;
    level->exit_y = map->exit_y;
    level->type = map->type;
    level->difficulty = map->difficulty;
    level->counted_coins = map->counted_coins;
    level->counted_hidden = map->counted_hidden;
    level->counted_creatures = map->counted_creatures;
    read_templates(level, map);
    count_contents(level);
    level->identity = identify(level);
}
