/* Maps of bytes to levels. */
#include "platformer/level_map.h"
#include "common/digest.h"
#include "platformer/rules/ludus/elements.h"

#include <string.h>

static size_t count_cells(const pf_level *level) {
    return (size_t)level->width * (size_t)level->height;
}

static void read_templates(pf_level *level, const pf_map *map) {
    int32_t *first_in = (int32_t *)((char *)level + level->columns_at);
    int32_t n = 0;
    if (map->n_templates)
        memcpy((char *)level + level->templates_at, map->templates, (size_t)map->n_templates * sizeof *map->templates);
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

/* Screens are up to 2048 x 2048 pixels: so many columns are looked at in a tick, and so many rows. A cannon fires
 * every hundred ticks, those of neighbouring columns two ticks apart, so that at most three columns fire in one. */
enum { MOST_COLUMNS = 2048 / PF_TILE + 4, MOST_ROWS = 2048 / PF_TILE + 3, FIRING_COLUMNS = 3 };

/* Bills that a column can fire in a tick; the cells below the level fire as its last row does. */
static int shots_of(pf_level *level, int column) {
    const uint8_t *bytes = pf_level_tiles(level) + (size_t)column * (size_t)level->height;
    int shots = 0;
    for (int row = 0; row < level->height; row++) {
        bool last = row == level->height - 1;
        level->n_muzzles += bytes[row] == MAP_MUZZLE;
        shots += bytes[row] == MAP_MUZZLE ? 1 + (last ? MOST_ROWS : 0) : 0;
    }
    return shots;
}

static void bound_spawns(pf_level *level) {
    const int32_t *first_in = pf_first_in(level);
    int shots = 0, templates = 0;
    for (int last = 0; last < level->width; last++) {
        int first = last - MOST_COLUMNS + 1 > 0 ? last - MOST_COLUMNS + 1 : 0;
        int here = first_in[last + 1] - first_in[first], fired = shots_of(level, last);
        templates = here > templates ? here : templates;
        shots = fired > shots ? fired : shots;
    }
    level->max_spawns = templates + FIRING_COLUMNS * shots;
}

static void count_coins(pf_level *level) {
    const uint8_t *bytes = pf_level_tiles(level);
    const int8_t *data = pf_block_data(level);
    for (size_t k = 0; k < count_cells(level); k++)
        level->total_coins += coins_in(bytes[k], data[k]);
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
    count_coins(level);
    bound_spawns(level);
    level->identity = identify(level);
}

/* ---- from tile codes ------------------------------------------------------------------------- */

static const uint8_t BYTES_OF_TILES[PF_TILES] = {
    [1] = MAP_GROUND_BODY,
    [2] = MAP_STAIRS,
    [3] = MAP_MUZZLE,
    [4] = MAP_NECK,
    [5] = MAP_POLE,
    [6] = MAP_BRICK,
    [7] = MAP_BRICK_COIN,
    [8] = MAP_QUESTION_POWER_UP,
    [11] = MAP_QUESTION_COIN,
    [14] = MAP_USED,
    [PF_COIN_TILE] = MAP_COIN,
    [18] = MAP_PIPE_TOP,
    [19] = MAP_PIPE_TOP + 1,
    [20] = MAP_PIPE_BODY,
    [21] = MAP_PIPE_BODY + 1,
    [43] = MAP_HILL_TOP,
    [44] = MAP_HILL_TOP - 1,
    [45] = MAP_HILL_TOP + 1,
    [46] = MAP_HILL_TOP,
    [47] = MAP_HILL_BODY,
    [48] = MAP_HIDDEN_POWER_UP,
    [49] = MAP_HIDDEN_COIN,
    [50] = MAP_BRICK_POWER_UP,
    [51] = MAP_BRICK_POWER_UP,
    [52] = MAP_PIPE_TOP,
    [53] = MAP_PIPE_BODY,
    [PF_LADDER] = MAP_LADDER,
    [PF_LADDER_TOP] = MAP_LADDER_TOP,
};

void pf_tiles_to_bytes(const pf_level *level, uint8_t *bytes) {
    const uint8_t *tiles = pf_level_tiles(level);
    for (size_t k = 0; k < count_cells(level); k++) {
        bool top = k % (size_t)level->height == 0 || tiles[k - 1] != tiles[k];
        bytes[k] = BYTES_OF_TILES[tiles[k]];
        if (bytes[k] == MAP_GROUND_BODY && top)
            bytes[k] = MAP_GROUND_TOP;
    }
}
