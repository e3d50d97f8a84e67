/* Level text to tiles and spawn templates. */
#include "platformer/level_map.h"
#include "platformer/rules/rules.h"
#include "platformer/rules/shared/features.h"

#include <string.h>

static bool is_pipe(char c) { return c == 't' || c == 'T'; }

static int template_of(char c) {
    switch (c) {
    case 'g': case 'E': return PF_GOOMBA;
    case 'G': return PF_GOOMBA_WINGED;
    case 'r': return PF_RED_KOOPA;
    case 'R': return PF_RED_KOOPA_WINGED;
    case 'k': return PF_GREEN_KOOPA;
    case 'K': return PF_GREEN_KOOPA_WINGED;
    case 'y': return PF_SPIKY;
    case 'Y': return PF_SPIKY_WINGED;
    default: return PF_NONE;
    }
}

/* A pipe that has a pipe neither left nor right of it; never so in the first or last column. */
static bool is_single_pipe(const pf_cells *c, int i, int j) {
    return i > 0 && i < c->width - 1 && !is_pipe(pf_cell(c, i - 1, j)) && !is_pipe(pf_cell(c, i + 1, j));
}

static int pipe_tile(const pf_cells *c, int i, int j, int left_tile) {
    bool single = is_single_pipe(c, i, j);
    int offset = left_tile == 18 || left_tile == 20;
    if (is_pipe(pf_cell(c, i, j - 1)))
        offset += single ? 1 : 2;
    return (single ? 52 : 18) + offset;
}

static int tile_of(const pf_cells *c, const pf_rules *rules, int i, int j, int left_tile) {
    char here = pf_cell(c, i, j);
    switch (here) {
    case 'X': return 1;
    case '#': return 2;
    case '%': return 43 + (pf_cell(c, i + 1, j) == '%') + 2 * (pf_cell(c, i - 1, j) == '%');
    case '|': return 47;
    case '*': return 3 + (pf_cell(c, i, j - 1) == '*') + (pf_cell(c, i, j - 2) == '*');
    case 'B': return 3;
    case 'b': return pf_cell(c, i, j - 2) == 'B' ? 5 : 4;
    case '?': case '@': return 8;
    case 'Q': case '!': return 11;
    case '1': return 48;
    case '2': return 49;
    case 'D': return 14;
    case 'S': return 6;
    case 'C': return 7;
    case 'U': return 50;
    case 'L': return 51;
    case 'o': return PF_COIN_TILE;
    case '<': return 18;
    case '>': return 19;
    case '[': return 20;
    case ']': return 21;
    case 't': case 'T': return pipe_tile(c, i, j, left_tile);
    default: return rules->read_tile ? rules->read_tile(c, i, j) : 0;
    }
}

static bool holds_coin(char c) { return c == 'Q' || c == '!' || c == '2' || c == 'C' || c == 'o'; }

static bool is_floor(char c) {
    for (const char *floor = "X#@!BCQ<>[]?SUD%tT"; *floor; floor++)
        if (c == *floor)
            return true;
    return false;
}

/* The lowest free row above solid ground in a column, or -1. */
static int first_floor(const pf_cells *c, int column) {
    bool solid = false;
    for (int row = c->height - 1; row >= 0; row--) {
        if (is_floor(pf_cell(c, column, row)))
            solid = true;
        else if (solid)
            return row;
    }
    return -1;
}

static size_t round_up(size_t n) { return (n + 7) & ~(size_t)7; }

static size_t count_templates(const pf_cells *c) {
    if (c->map)
        return (size_t)c->map->n_templates;
    size_t n = (size_t)c->width * (size_t)c->height, templates = 0;
    for (size_t k = 0; k < n; k++)
        templates += template_of(c->characters[k]) != PF_NONE || c->characters[k] == 'T';
    return templates;
}

/* Rows, templates, the rule set's tail, first templates by column, tiles, block data; returns the bytes of all. */
static size_t lay_out(pf_level *level, const pf_cells *c, const pf_rules *rules) {
    size_t at = sizeof(pf_level) + ((size_t)c->width + 2) * sizeof(pf_rows);
    level->templates_at = (int32_t)at;
    at += round_up(count_templates(c) * sizeof(pf_template));
    level->tail_at = (int32_t)at;
    at += rules->level_tail_size ? round_up(rules->level_tail_size(c)) : 0;
    level->columns_at = (int32_t)at;
    at += round_up(((size_t)c->width + 1) * sizeof(int32_t));
    level->tiles_at = (int32_t)at;
    at += round_up((size_t)c->width * (size_t)c->height);
    level->block_data_at = c->map ? (int32_t)at : 0;
    return at + (c->map ? round_up((size_t)c->width * (size_t)c->height) : 0);
}

size_t pf_level_size(const pf_cells *cells, const pf_rules *rules) {
    pf_level level;
    return lay_out(&level, cells, rules);
}

static void find_start_and_exit(pf_level *level, const pf_cells *c) {
    level->start_x = 0;
    level->start_y = first_floor(c, 0);
    level->exit_x = c->width - 1;
    level->exit_y = first_floor(c, c->width - 1);
    for (int j = 0; j < c->height; j++)
        for (int i = 0; i < c->width; i++) {
            char here = pf_cell(c, i, j);
            if (here == 'M')
                level->start_x = i, level->start_y = j;
            if (here == 'F')
                level->exit_x = i, level->exit_y = j;
            level->total_coins += holds_coin(here);
        }
}

static void read_tiles(uint8_t *tiles, const pf_cells *c, const pf_rules *rules) {
    for (int i = 0; i < c->width; i++)
        for (int j = 0; j < c->height; j++) {
            int left = i > 0 ? tiles[(i - 1) * c->height + j] : 0;
            tiles[i * c->height + j] = (uint8_t)tile_of(c, rules, i, j, left);
        }
}

static int template_at(const pf_cells *c, const uint8_t *tiles, int i, int j) {
    char here = pf_cell(c, i, j);
    if (here == 'T' && tiles[i * c->height + j] == 18)
        return PF_ENEMY_FLOWER;
    return template_of(here);
}

static void read_templates(pf_level *level, const pf_cells *c, const uint8_t *tiles) {
    pf_template *templates = (pf_template *)(void *)((char *)level + level->templates_at);
    int32_t *first_in = (int32_t *)((char *)level + level->columns_at);
    int n = 0;
    for (int i = 0; i < c->width; i++) {
        first_in[i] = n;
        for (int j = 0; j < c->height; j++) {
            int kind = template_at(c, tiles, i, j);
            if (kind != PF_NONE)
                templates[n++] = (pf_template){i, j, kind};
        }
    }
    first_in[c->width] = level->n_templates = n;
}

static void raise_flag(const pf_level *level, uint8_t *tiles) {
    int top = level->exit_y - 11 > 1 ? level->exit_y - 11 : 1;
    uint8_t *column = tiles + (size_t)level->exit_x * (size_t)level->height;
    for (int row = level->exit_y; row > top; row--)
        column[row] = 40;
    if (top < level->height)
        column[top] = 39;
}

static int muzzles_in(const pf_level *level, int column) {
    const uint8_t *tiles = pf_level_tiles(level) + (size_t)column * (size_t)level->height;
    int n = 0;
    for (int row = 0; row < level->height; row++)
        n += tiles[row] == 3;
    return n;
}

/* Columns beyond the level repeat its first or last one, so that their cannons fire more than once:
 * column -1, and on the right two, or all that a screen wider than the level shows. The window is 19
 * columns wide, 20 where the sum of camera and screen rounds up. */
static void bound_spawns(pf_level *level) {
    const int32_t *first_in = pf_first_in(level);
    enum { WINDOW = 20, SCREEN_COLUMNS = PF_SCREEN / PF_TILE };
    int beyond = level->width < SCREEN_COLUMNS ? WINDOW - 1 - level->width : 3;
    int muzzles = 0, most = 0;
    for (int last = 0; last < level->width; last++) {
        int first = last - WINDOW + 1 > 0 ? last - WINDOW + 1 : 0;
        level->n_muzzles += muzzles_in(level, last);
        muzzles += muzzles_in(level, last);
        if (last >= WINDOW)
            muzzles -= muzzles_in(level, last - WINDOW);
        int here = first_in[last + 1] - first_in[first] + muzzles;
        most = here > most ? here : most;
    }
    level->max_spawns =
        most + muzzles_in(level, 0) + beyond * muzzles_in(level, level->width - 1);
}

static uint64_t identify(const pf_cells *c) {
    digest d = digest_begin();
    digest_i32(&d, c->width);
    digest_i32(&d, c->height);
    digest_bytes(&d, (const uint8_t *)c->characters, (size_t)c->width * (size_t)c->height);
    return digest_end(&d);
}

static void read_text(pf_level *level, const pf_cells *c) {
    uint8_t *tiles = (uint8_t *)level + level->tiles_at;
    level->identity = identify(c);
    find_start_and_exit(level, c);
    read_tiles(tiles, c, level->rules);
    read_templates(level, c, tiles);
    raise_flag(level, tiles);
    bound_spawns(level);
}

static pf_rows rows_of(const pf_level *level, int column) {
    const uint8_t *tiles = pf_level_tiles(level) + (size_t)column * (size_t)level->height;
    pf_rows rows = {.walls = UINT32_MAX};
    for (int row = 0; row < level->height; row++) {
        unsigned features = level->rules->features[tiles[row]], bit = 1u << row;
        bool stays = !pf_tile_turns(level->rules, tiles[row]);
        if (stays && !(features & ~(unsigned)FEATURE_LOWER))
            rows.walls &= ~bit;
        if (stays && (features & (FEATURE_ALL | FEATURE_LOWER)))
            rows.floor |= bit;
    }
    return rows;
}

static void note_rows(pf_level *level) {
    pf_rows *rows = (pf_rows *)(level + 1) + 1;
    for (int column = -1; column <= level->width; column++) {
        bool known = column >= 0 && column < level->width && level->height <= PF_ROWS;
        rows[column] = known ? rows_of(level, column) : (pf_rows){.walls = UINT32_MAX};
        rows[column].unsure = rows[column].walls & ~rows[column].floor;
    }
}

void pf_level_build(pf_level *level, const pf_cells *c, const pf_rules *rules) {
    pf_level start = {0};
    memset(level, 0, lay_out(&start, c, rules));
    *level = start;
    level->rules = rules;
    level->width = c->width;
    level->height = c->height;
    level->world_tail_size = rules->world_tail_size ? (int32_t)rules->world_tail_size(c) : 0;
    if (c->map)
        pf_read_map(level, c->map);
    else
        read_text(level, c);
    if (rules->read_level_tail)
        rules->read_level_tail((char *)level + level->tail_at, c);
    note_rows(level);
}
