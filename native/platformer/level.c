/* Level text to tiles and spawn templates. */
#include "platformer/platformer.h"

#include <string.h>

typedef struct {
    const char *cells;
    int width, height;
    bool elements;
} cells_t;

static char cell(const cells_t *c, int column, int row) {
    bool inside = column >= 0 && column < c->width && row >= 0 && row < c->height;
    return inside ? c->cells[(size_t)row * (size_t)c->width + (size_t)column] : '\0';
}

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
static bool is_single_pipe(const cells_t *c, int i, int j) {
    return i > 0 && i < c->width - 1 && !is_pipe(cell(c, i - 1, j)) && !is_pipe(cell(c, i + 1, j));
}

static int pipe_tile(const cells_t *c, int i, int j, int left_tile) {
    bool single = is_single_pipe(c, i, j);
    int offset = left_tile == 18 || left_tile == 20;
    if (is_pipe(cell(c, i, j - 1)))
        offset += single ? 1 : 2;
    return (single ? 52 : 18) + offset;
}

/* Tiles that only the rule set "ludus" has. */
static int element_of(const cells_t *c, int i, int j) {
    switch (cell(c, i, j)) {
    case 'l': return cell(c, i, j - 1) == 'l' ? PF_LADDER : PF_LADDER_TOP;
    case 'h': return PF_KEY;
    case 'i': return PF_KEY + 1;
    case 'j': return PF_KEY + 2;
    case 'H': return PF_LOCK;
    case 'I': return PF_LOCK + 1;
    case 'J': return PF_LOCK + 2;
    case 'n': return PF_SWITCH;
    case 'p': return PF_SWITCH + 1;
    case 'z': return PF_SWITCH + 2;
    case 'N': return PF_DOOR_CLOSED;
    case 'P': return PF_DOOR_CLOSED + 1;
    case 'Z': return PF_DOOR_CLOSED + 2;
    case '(': return PF_DOOR_OPEN;
    case ')': return PF_DOOR_OPEN + 1;
    case '_': return PF_DOOR_OPEN + 2;
    default: return 0;
    }
}

static int tile_of(const cells_t *c, int i, int j, int left_tile) {
    char here = cell(c, i, j);
    switch (here) {
    case 'X': return 1;
    case '#': return 2;
    case '%': return 43 + (cell(c, i + 1, j) == '%') + 2 * (cell(c, i - 1, j) == '%');
    case '|': return 47;
    case '*': return 3 + (cell(c, i, j - 1) == '*') + (cell(c, i, j - 2) == '*');
    case 'B': return 3;
    case 'b': return cell(c, i, j - 2) == 'B' ? 5 : 4;
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
    default: return c->elements ? element_of(c, i, j) : 0;
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
static int first_floor(const cells_t *c, int column) {
    bool solid = false;
    for (int row = c->height - 1; row >= 0; row--) {
        if (is_floor(cell(c, column, row)))
            solid = true;
        else if (solid)
            return row;
    }
    return -1;
}

static size_t round_up(size_t n) { return (n + 7) & ~(size_t)7; }

size_t pf_level_size(const char *cells, int width, int height) {
    size_t n = (size_t)width * (size_t)height, templates = 0, platforms = 0;
    for (size_t k = 0; k < n; k++) {
        templates += template_of(cells[k]) != PF_NONE || cells[k] == 'T';
        platforms += cells[k] == '=' || cells[k] == 'v';
    }
    return round_up(sizeof(pf_level) + templates * sizeof(pf_template))
           + round_up(platforms * sizeof(pf_platform))
           + round_up(((size_t)width + 1) * sizeof(int32_t)) + round_up(n);
}

static void find_start_and_exit(pf_level *level, const cells_t *c) {
    level->start_x = 0;
    level->start_y = first_floor(c, 0);
    level->exit_x = c->width - 1;
    level->exit_y = first_floor(c, c->width - 1);
    for (int j = 0; j < c->height; j++)
        for (int i = 0; i < c->width; i++) {
            if (cell(c, i, j) == 'M')
                level->start_x = i, level->start_y = j;
            if (cell(c, i, j) == 'F')
                level->exit_x = i, level->exit_y = j;
            level->total_coins += holds_coin(cell(c, i, j));
        }
}

static void read_tiles(uint8_t *tiles, const cells_t *c) {
    for (int i = 0; i < c->width; i++)
        for (int j = 0; j < c->height; j++) {
            int left = i > 0 ? tiles[(i - 1) * c->height + j] : 0;
            tiles[i * c->height + j] = (uint8_t)tile_of(c, i, j, left);
        }
}

static int template_at(const cells_t *c, const uint8_t *tiles, int i, int j) {
    char here = cell(c, i, j);
    if (here == 'T' && tiles[i * c->height + j] == 18)
        return PF_ENEMY_FLOWER;
    return template_of(here);
}

static void read_templates(pf_level *level, const cells_t *c, const uint8_t *tiles) {
    pf_template *templates = (pf_template *)(level + 1);
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

/* How many cells of this character follow (i, j) in the direction (di, dj). */
static int run_of(const cells_t *c, char what, int i, int j, int di, int dj) {
    int n = 0;
    while (cell(c, i + (n + 1) * di, j + (n + 1) * dj) == what)
        n++;
    return n;
}

/* The platform whose first cell is (i, j), with the way that its track leaves it. */
static pf_platform platform_at(const cells_t *c, int i, int j) {
    char here = cell(c, i, j);
    bool sideways = here == '=';
    int length = 1 + run_of(c, here, i, j, 1, 0);
    int before = sideways ? run_of(c, '.', i, j, -1, 0) : run_of(c, ':', i, j, 0, -1);
    int after = sideways ? run_of(c, '.', i + length - 1, j, 1, 0) : run_of(c, ':', i, j, 0, 1);
    return (pf_platform){
        .x = 16 * (sideways ? i - before : i),
        .y = 16 * (sideways ? j : j - before),
        .width = 16 * length,
        .dx = sideways,
        .dy = !sideways,
        .way = 16 * (before + after),
        .start = 16 * before,
    };
}

static void read_platforms(pf_level *level, const cells_t *c) {
    pf_platform *platforms = (pf_platform *)((char *)level + level->platforms_at);
    for (int i = 0; i < c->width; i++)
        for (int j = 0; j < c->height; j++) {
            char here = cell(c, i, j);
            if ((here == '=' || here == 'v') && cell(c, i - 1, j) != here)
                platforms[level->n_platforms++] = platform_at(c, i, j);
        }
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

void pf_level_build(pf_level *level, const char *text, int width, int height, bool elements) {
    cells_t c = {text, width, height, elements};
    size_t n = (size_t)width * (size_t)height, size = pf_level_size(text, width, height);
    memset(level, 0, size);
    level->width = width;
    level->height = height;
    level->elements = elements;
    level->tiles_at = (int32_t)(size - round_up(n));
    level->columns_at =
        (int32_t)((size_t)level->tiles_at - round_up(((size_t)width + 1) * sizeof(int32_t)));
    uint8_t *tiles = (uint8_t *)level + level->tiles_at;
    find_start_and_exit(level, &c);
    read_tiles(tiles, &c);
    read_templates(level, &c, tiles);
    level->platforms_at =
        (int32_t)round_up(sizeof *level + (size_t)level->n_templates * sizeof(pf_template));
    if (elements)
        read_platforms(level, &c);
    raise_flag(level, tiles);
    bound_spawns(level);
}
